// Sounds, made here: short tones with a soft end. Browsers allow them after the first touch or key.

/** Tones of a sound: [frequency, start, length, loudness], in hertz and seconds.
 *  @type {Record<string, number[][]>} */
const SOUNDS = {
  move: [[210, 0, 0.07, 0.5], [420, 0, 0.03, 0.2]],
  capture: [[150, 0, 0.09, 0.6], [520, 0.01, 0.04, 0.3]],
  check: [[520, 0, 0.09, 0.35], [780, 0.08, 0.12, 0.3]],
  over: [[392, 0, 0.16, 0.35], [523, 0.14, 0.16, 0.35], [659, 0.28, 0.3, 0.35]],
};

/** What a new board sounds like.
 *  @param {Board} board
 *  @param {boolean} captured */
export function soundOf(board, captured) {
  if (board.over) return "over";
  if (Object.keys(board.warned || {}).length) return "check";
  return captured ? "capture" : "move";
}

/** @type {AudioContext | null} */
let context = null;

/** @param {string} name */
export function playSound(name) {
  if (!navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  for (const [frequency, start, length, loudness] of SOUNDS[name]) {
    const [tone, gain, begin] = [context.createOscillator(), context.createGain(), context.currentTime + start];
    tone.type = "triangle";
    tone.frequency.value = frequency;
    gain.gain.setValueAtTime(0.25 * loudness, begin);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
    tone.connect(gain).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}
