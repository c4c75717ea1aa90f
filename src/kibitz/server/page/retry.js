// Waiting before something is tried again.

const [FIRST, LONGEST] = [1, 30];

/** Seconds to wait after so many failures in a row: 1, 2, 4, up to 30.
 *  @param {number} failures */
export const backOff = (failures) => Math.min(LONGEST, FIRST * 2 ** Math.max(0, failures - 1));

/** Whether a failed request may succeed when it is sent again: the server was not reached, was busy, or broke down.
 *  @param {any} error */
export const isPassing = (error) => error.status === undefined || error.status === 429 || error.status >= 500;
