/** Of the program; the same as in package.json, and a test compares. */
export const VERSION = '0.1.0';
