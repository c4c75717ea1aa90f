// Types of the page, for `tsc --checkJs` only: what the server sends, and the state.

interface Sentence { code: string; values: Record<string, any>; text?: string }

// -- what the server sends ------------------------------------------------------------------------

interface Choice { value: string; text: string }

interface Field {
  name: string; text: string; initial: string; kind: "choice" | "number" | "check";
  choices: Choice[]; minimum: number; maximum: number; step: number;
}

/** A step of a game's rules; any move will do where it names none. */
interface Lesson { text: string; start: string; moves: string[] }

/** style/measured.py, `LevelFact`. */
interface StyleFact { level: string; engine: string; measure: string; shift: number; elo: number | null }

interface SetUp { columns: number; rows: number; marked: number[] }

/** games/page_facts.py, `Descriptor`: all that the page knows of a game. */
interface Descriptor {
  rank: number; numbering: number; turns: boolean; lightFirst: boolean; points: boolean;
  new: Field[]; clock: Field[]; seatsBy: string; seats: Record<string, string[]>;
  layers: { kind: "ownership" | "beliefs"; options: Record<string, any> }[];
  setUp: SetUp | null; choose: string; styleStrength: boolean; styleScore: boolean; styleFacts: Record<string, StyleFact[]>;
  pieces: Record<string, string>; pieceSets: string[]; placeForm: string; placeText: string; markLegal: boolean; zoom: boolean; suspects: string[];
  figures: string[]; mateScore: number; lessons: Lesson[];
}

interface GameInfo {
  name: string; title: string; sides: string[]; presets: string[]; styles: string[]; styleLevels: Record<string, number>;
  levels: string[]; ratings: Record<string, number>; hides: boolean; solves: boolean; page: Descriptor;
}

type Point = [number, number];

interface Places { width: number; height: number; cell: number; at: Record<string, Point>; move: string }

interface GameRecord { game: string; start?: string; moves?: string[]; [more: string]: any }

interface Board {
  record: GameRecord; notation: string; mover: string; toMove: number; seats: string[]; sides: string[]; over: boolean;
  counting: boolean; ending: Sentence[]; result: number | null; legalMoves: string[]; moveNames: Record<string, string>; line: string[]; publicEvent: string;
  notes: Sentence[]; facts: Record<string, any>; owners: number[]; tables: boolean; saves: string[]; svg: string; places: Places;
  warned: Record<string, string>; captured: Record<string, string[]>; opening: string; log: Sentence[][];
}

type Proven = "win" | "draw" | "loss" | null;

interface MoveInfo {
  move: string; order: number; visits: number; value: number; score: number | null; proven: Proven; line: string[];
  minVisits: number; guaranteed: number; upperBound?: boolean; pruned?: boolean;
}

interface Answer { move: string; best: string; visits: number; value: number; behind: number; refutation: string[]; said: Sentence[]; text: string }

/** Why a move is good or bad (docs/why.md). */
interface Evidence { line?: string[]; places?: string[]; arrows?: [string, string][]; numbers?: Record<string, number> }
interface Fact { code: string; ply: number; side: string; parameters: Record<string, any>; evidence: Evidence; weight: number; sentence: Sentence }

/** A question's reply (docs/report.md). */
interface Reply {
  question: string; verdict: string; move?: string; best?: string; by: number; line?: string[]; position?: string;
  steps?: { move: string; name: string; bestName: string; side: string; value: number; best: string; bestValue: number; cost: number; visits: number }[]; facts: Fact[]; said: Sentence[];
}

interface Report {
  replies?: Reply[];
  best: string; final: boolean; search: string; seconds: number; simulations: number; moves: MoveInfo[]; answers: Answer[];
  root: { value: number; proven: Proven; score: number | null; lead?: number | null; nodes: number; visits: number; depth: number; ownership?: number[] };
  steering: { honoured: { kind: string; move: string; said: Sentence[] }[]; refused: { kind: string; move: string; why: Sentence }[] };
  tree?: any[];
}

interface Turn {
  number: number; of: number; side: string; played: string; best: string; bestName: string; line: string[];
  winrate: number; lead: number | null; loss: number; points: number | null; label: string; depth: number; phase: string;
  move: string; moves: string[]; effort: string; searched: Sentence; said?: Sentence[]; why?: Fact[];
}

interface TableAnswer { known: boolean; source: string; result: Proven; moves: { move: string; result: Proven; distance: number }[] }

type Beliefs = Record<string, Record<string, number>>;

interface NetworkRow { name: string; game: string; error: string; [more: string]: any }

type Listener = (message: any) => void;

// -- the state of the page ------------------------------------------------------------------------

interface Steering { include: Record<string, number>; avoid: string[]; allow: string[]; weights: Record<string, number> }

interface GameNode {
  id: number; move: string; name: string; parent: GameNode | null; children: GameNode[]; comment: string; steering: Steering;
  board: Board | null; boardKey: string; report: Report | null; lines: Record<string, string[]>;
  why?: Fact[]; loss?: number; tables?: TableAnswer | null; beliefs?: Beliefs | null; beliefsOf?: string;
  // Saved with the node (docs/saved-games.md), as comment, steering and report are.
  order?: number; nags?: number[]; marks?: OwnMark[]; seconds?: number; review?: NodeReview | null;
}

/** POST /api/count: the score with some stones dead. */
interface Count { dead: string[]; owners: number[]; score: number; lines: Sentence[]; move: string; agrees?: boolean; agreed?: string[] }

/** What a review found about the move that leads to a node; `value` is the first side's after the move. */
interface NodeReview { label: string; value: number; loss: number; best: string; line: string[]; depth: number; [more: string]: any }

/** How a game ended; `value` is the first side's. */
interface Result { value: number | null; ending: string; said?: Sentence[]; [more: string]: any }

interface SavedClock { seconds: number; increment: number; left: Record<string, number>; [more: string]: any }

/** A node whose board has been asked for, as the one is that is shown. */
interface ShownNode extends GameNode { board: Board }

interface Opponent {
  you: string; level: string; thinking: boolean; hint: string; hintAt?: GameNode; failures: number; failedAt: GameNode | null;
  retry: ReturnType<typeof setTimeout> | undefined;
}

interface Learn {
  turns: Turn[]; at: number; verdict: string; good: boolean; shown: boolean; refuted: boolean; failed: boolean;
  done: (turn: Turn, good: boolean) => unknown; look: { seat: string; below: string };
  /** Begins what comes after the last turn; null while there is nothing. */
  more: () => (() => unknown) | null;
}

interface Review {
  nodes: GameNode[]; turns: Turn[]; of: number; running: boolean; failures: number; learn: Learn | null; side: string; shown: number | null;
}

/** Moves that are drawn at a node: what was played, and what was better. */
interface Judged { node: GameNode; moves: { move: string; kind: "played" | "better" }[] }

interface CompareSide { report: Report | null; history: { seconds: number; visits: Record<string, number> }[]; error: string }

interface Compare { chosen: string[]; sides: CompareSide[]; node: GameNode | null; running: number }

interface Style { name: string; strength: number }

interface State {
  game: string; info: GameInfo; start: Record<string, any>; root: GameNode; node: ShownNode; below: string; seat: string;
  error: string; selected: string; preview: { source: string[]; line: string[]; board: Board | null; fixed?: boolean; evidence?: Evidence } | null;
  running: boolean; resume?: boolean; style: Style; layers: Set<string>; failures: number;
  retry: ReturnType<typeof setTimeout> | undefined; listeners: Set<() => void>;
  opponent?: Opponent | null; review?: Review; judged?: Judged | null; compare?: Compare | null; pointed?: string; showCandidates?: boolean;
  count?: { node: GameNode; counted: Count | null; refused: boolean } | null; markDead?: (place: string) => unknown; resultClosed?: GameNode | null;
  last?: { you: string; level: string } | null;
  guess?: ((move: string) => unknown) | null; wishes?: Record<string, string>;
  /** The side that the user plays in a room ("" watches), and what was noted on hidden pieces. */
  plays?: string; suspects?: Record<string, string>;
  // Saved with the game (docs/saved-games.md); `reviewed` is the document's `review`.
  shownHint?: { node: GameNode; mark: OwnMark } | null;
  turn?: { node: GameNode; side: string; since: number } | null;
  saver?: import("./saver.js").Saver; title?: string; headers?: Record<string, string>; clock?: SavedClock | null; result?: Result | null; reviewed?: Record<string, any> | null;
}

/** What is saved of a state, as JSON by field. */
interface Snapshot { fields: Record<string, string>; nodes: Map<string, Record<string, string>> }

/** What has changed: fields of the game, fields of nodes, nodes that are gone. */
interface GameChange { set: Record<string, any>; nodes: Record<string, any>[]; removed: string[] }

interface Shared { record: GameRecord; steering?: Steering; style?: Style; below?: string }

interface Series { name: string; colour: number; points: Point[]; low?: number[]; high?: number[] }

// -- rooms ----------------------------------------------------------------------------------------

interface Seat { seat: string; name: string; level: string; taken: boolean; ready: boolean; playing: boolean; online: boolean | null }

interface Room {
  room: string; number: number; game: string; phase: "set-up" | "playing" | "counting" | "over"; setsUp: boolean; you: string | null; mover: string | null;
  seats: Seat[]; offer: { kind: "draw" | "undo"; seat: string; agreed: string[] } | null; clocks: Record<string, number>; increment: number;
  count: Count | null; talk: { seat: string; name: string; text: string }[]; rematch: string[]; next: string;
  result: number | null; ending: string | null; record: GameRecord; layout: string | null; board: Board;
}

/** What the page of a room knows. */
interface Here {
  id: string; room: Room; since: number; lost: boolean; gone: boolean; token: string; levels: string[]; info: GameInfo; below: string;
  send: (message: Record<string, any>) => void; hint: { move: string, text: string } | null; askHint: () => void; resultClosed?: boolean; draft?: string; games?: GameInfo[];
}

interface SocketListeners { message: Listener; lost: () => void; connected: () => void; gone: () => void }

/** Attributes of an element that is made: anything, and handlers. */
type Attributes = { [handler: `on${string}`]: ((event: any) => unknown) | null } & { [name: string]: any };

// -- the board ------------------------------------------------------------------------------------

interface Piece { place: string; kind: string; side: string; number?: string; element?: SVGGElement }

interface Changes { moved: [Piece, Piece][]; born: Piece[]; gone: Piece[]; turned: Piece[] }

/** An arrow of one's own, or a circle where both ends are the same. */
interface OwnMark { from: string; to: string; colour: number }

/** The part of a picture that is shown. */
interface ViewWindow { x: number; y: number; width: number; height: number }
