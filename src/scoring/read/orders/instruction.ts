/** An instruction that untrusted text addresses to the agent. */
export interface Instruction {
  /** The sentence, as found. */
  excerpt: string;
  /** 0-1, markers combined as the ontology says. */
  strength: number;
  /** override, authority_tag, urgency, secrecy, hidden, encoded, forged_authority, delayed, … */
  markers: string[];
  /** It names the action's verb group or tool and one of its values is a value of this action. */
  is_echoed: boolean;
  /** A value of this action stands in the instruction and nowhere else: neither the user nor a record gives it. */
  gives_value: boolean;
  /**
   * Something that stands in it stands in this action as well: a value, a file, an address or words of the
   * command. Always so where the order is followed and steers the agent or is hidden, because such an order needs no further proof.
   */
  is_particular: boolean;
  /** A value that the user did not give stands in it, and somebody else wrote it than the user leaves the task to. */
  is_others_choice: boolean;
  /** It came from an identifier field (agent id, tool name, field name …) instead of a document. */
  is_in_identifier: boolean;
  /** Index of the message in conversation_history; -1: the user's context, or no message. */
  index: number;
}
