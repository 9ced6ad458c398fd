import { z } from 'zod';
import json from './corpus.json' with { type: 'json' };

/** A text in which `{{20 ab}}` stands for 20 times `ab`. */
const text = z
  .string()
  .transform((packed) =>
    packed.replace(/\{\{(\d+) ([^}]*)\}\}/g, (_, count: string, unit: string) => unit.repeat(Number(count))),
  );
const texts = z.array(text);

/** Texts that break programs, by the place in a request that they are for. */
export const corpus = z
  .object({
    texts,
    names: texts,
    /** JSON values that a field does not expect. */
    values: z.array(z.unknown()),
    /** Bodies that are not the expected JSON. */
    bodies: texts,
    contentTypes: texts,
    pathSegments: texts,
    queryNames: texts,
    queryValues: texts,
    headers: z.record(z.string(), texts),
    /** Names of headers that take any text. */
    textHeaders: texts,
    requestHeads: texts,
    /** Unusual requests and the allowed statuses of their answers. */
    requests: z.array(z.object({ name: z.string(), requests: texts, statuses: z.array(z.number()) })),
    /** Headers after which two readers of a connection may disagree on where the body ends, and the body. */
    contradictingLengths: z.array(z.object({ headers: text, body: text })),
    chunks: texts,
    /** Handshakes that open no socket. */
    handshakes: texts,
    /** Packets that are wrong for engine.io or socket.io. */
    socketPackets: texts,
    accountPosts: texts,
    accountReads: texts,
    pages: texts,
  })
  .parse(json);
