/**
 * The graph of activity: agents, delegation, sessions, users, what they touched and where they sent data. A projection of stored
 * events: it can be dropped at any time and made again, and nothing on the path of a score reads it.
 */

/** A node. `type` is that of a target's resource, '' for all others; `name` as events name it. */
export interface NodeRef {
  kind: 'agent' | 'session' | 'user' | 'target' | 'destination' | 'action';
  type: string;
  name: string;
}

/** What an event touched: its target, the places where its data go; the action itself for an event that names neither. */
export interface Thing extends NodeRef {
  kind: 'target' | 'destination' | 'action';
}

/** One scored event, as the graph keeps it. */
export interface ActivityEvent {
  customer_id: string;
  event_id: string;
  /** ISO 8601 with microseconds, UTC. */
  scored_at: string;
  action: string;
  score: number;
  agent_id: string | null;
  session_id: string | null;
  user_id: string | null;
  things: readonly Thing[];
  /** `in`: data came from the things to the actor; `out`: from the actor to the things. */
  flow: 'in' | 'out';
  /** Somebody delegated to the event's agent: agents with the time and, where a token did it, its jti. */
  delegated_by: readonly { agent_id: string; at: string; jti: string | null }[];
}

/** How far a projection has come: all events before this one, in the order of time, customer and id. */
export interface ActivityCursor {
  at: string;
  customer_id: string;
  event_id: string;
}

/** Reads stored events for projections. Kept in the relational database. */
export interface ActivitySource {
  /**
   * The next events, at most `limit`, and where to go on. Events of the last few seconds come later, when none can be added before
   * them any more; `is_last` when there are no others now. Null begins with the oldest.
   */
  next(after: ActivityCursor | null, limit: number): Promise<ActivityPart>;
  /** Takes the turn to project into this graph, for `lease_ms`; false while another process has it. */
  takeTurn(graph: string, holder: string, lease_ms: number): Promise<boolean>;
  /** Events before this time are dropped from the store; null when none ever are. */
  keptFrom(): Promise<string | null>;
}

export interface ActivityPart {
  events: readonly ActivityEvent[];
  cursor: ActivityCursor;
  is_last: boolean;
}

/** A time window and the page of an answer. */
export interface Bounds {
  /** From now back. */
  hours: number;
  page: number;
  per_page: number;
}

/** An agent below another, with the one that delegated to it; the first has none. */
export interface ReachedAgent {
  agent_id: string;
  /** 0 for the agent that was asked for. */
  depth: number;
  delegated_by: string | null;
  delegated_at: string | null;
  /** Of the token that delegates; null where an event alone says so. */
  jti: string | null;
}

export interface TouchedThing {
  thing: Thing;
  events: number;
  highest_score: number;
  last_at: string;
  last_event_id: string;
  /** Ids of some of the agents that touched it, in order. */
  agents: readonly string[];
}

/** What an agent and those below it touched. */
export interface Reach {
  /** Nearest first, then by id. */
  agents: readonly ReachedAgent[];
  /** Highest score first, then the latest. */
  touched: readonly TouchedThing[];
  /** Things in all. */
  total: number;
  /** There are more agents than the bound; what they touched is left out. */
  is_cut: boolean;
}

/** Somebody who touched a target. */
export interface Actor {
  /** Null for events without an agent. */
  agent_id: string | null;
  delegated_by: readonly string[];
  sessions: readonly string[];
  users: readonly string[];
  events: number;
  /** Of them, those in which data came from the target, and those in which data went to it. */
  reads: number;
  writes: number;
  highest_score: number;
  first_at: string;
  last_at: string;
  last_event_id: string;
}

export interface Actors {
  /** Highest score first, then the latest. */
  actors: readonly Actor[];
  total: number;
}

/** Data that are at `node` since `at`. */
export interface DataAt {
  node: NodeRef;
  at: string;
}

/** One step that data could have taken: the earliest of its kind between two nodes. */
export interface FlowStep {
  from: NodeRef;
  to: NodeRef;
  how: 'read' | 'sent' | 'delegated' | 'reported';
  at: string;
  /** Null for a delegation. */
  event_id: string | null;
  action: string | null;
  score: number | null;
}

export interface ActivityGraph {
  /** Adds events; those that are there already change nothing. */
  append(events: readonly ActivityEvent[]): Promise<void>;
  /** How far `append` has come, as `move` said; null for an empty graph. */
  cursor(): Promise<ActivityCursor | null>;
  /** Records the progress, unless it is no longer `from`: another process went on, or the graph was emptied. */
  move(from: ActivityCursor | null, to: ActivityCursor): Promise<void>;
  /** Removes everything of all customers, the cursor included. */
  clear(): Promise<void>;
  /** Removes events before this time. */
  forgetBefore(time: string): Promise<void>;
  /** Agents that are at most `depth` delegations below; cycles end. */
  reach(customer_id: string, agent_id: string, depth: number, bounds: Bounds): Promise<Reach>;
  actors(customer_id: string, thing: Thing, bounds: Bounds): Promise<Actors>;
  /**
   * Where data could go in one step, later than they are where they are: from a thing to those who read it, from an agent or session
   * to what it wrote, from an agent to those it delegates to and those it reports to. At most `MOST_STEPS` from each node, the
   * earliest first.
   */
  flows(customer_id: string, from: readonly DataAt[], hours: number): Promise<FlowStep[]>;
}

/** Agents that one reach walks over. */
export const MOST_AGENTS = 500;
/** Agents, sessions and users that one row names. */
export const MOST_NAMED = 10;
/** Events that one step of a path looks at, for each node. */
export const MOST_STEPS = 500;
