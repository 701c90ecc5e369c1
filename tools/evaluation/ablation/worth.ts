/** What a part of the ontology is worth, as figures. */

export interface Worth {
  source: string;
  /** Records whose score differs without the part. */
  changed: number;
  /** With the part, and without it. */
  auroc: [number | null, number | null];
  recall_at_high: [number | null, number | null];
  benign_at_high: [number | null, number | null];
}

export interface AblationRow {
  name: string;
  /** Why the part cannot be taken out, '' where it can. */
  refused: string;
  /** Sources on which a score differs. */
  sources: Worth[];
}
