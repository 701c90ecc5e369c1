/** Layer 2: the learned structural score. Absent until a trained network ships; its weight goes to the other layers. */

export interface StructuralReading {
  /** 0-100, expected severity. */
  score: number;
  /** 0-1, the largest class probability. */
  confidence: number;
}

/** `null` says that the layer is absent, which is not the same as a score of zero. */
export function structuralScore(): StructuralReading | null {
  return null;
}
