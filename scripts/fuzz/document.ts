import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** The parts of an OpenAPI 3.1 document that the fuzz reads. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

interface OperationObject {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
}

/** The documentation of one status of an operation. */
interface DocumentedAnswer {
  /** By media type. */
  content: Content;
  /** Documented error codes; empty where any code is allowed. */
  codes: string[];
}

export interface Operation {
  id: string;
  method: string;
  /** With parameters as `{id}`. */
  path: string;
  parameters: Parameter[];
  bodies: Content;
  isPublic: boolean;
  answers: Map<number, DocumentedAnswer>;
}

/** The OpenAPI document that the product serves, with validators for its answers. */
export class ApiDocument {
  readonly operations: Operation[];
  private readonly ajv = addFormats.default(
    new Ajv2020({ strict: false, allErrors: false, validateFormats: true }),
  );
  private readonly validators = new Map<Schema, ValidateFunction>();

  private readonly document: OpenApi;

  constructor(document: OpenApi) {
    this.document = document;
    const all = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        bodies: operation.requestBody?.content ?? {},
        isPublic: operation.security?.length === 0,
        answers: new Map(
          Object.entries(operation.responses).map(([status, { description, content = {} }]) => [
            Number(status),
            { content, codes: Array.from(description.matchAll(/`([A-Z_]+)`/g), ([, code]) => code!) },
          ]),
        ),
      })),
    );
    // A stream ends with its job or its client, so a request for one has no whole answer to check.
    this.operations = all.filter(({ answers }) => !answers.get(200)?.content['text/event-stream']);
    this.ajv.addFormat('base64', true);
    this.ajv.addSchema({ $id: 'document', components: document.components });
  }

  /** The operation of a request, by the router's rules: segments may be encoded, and a slash may follow. */
  operationOf(method: string, target: string): Operation | undefined {
    const path = target.split(/[?#]/)[0]!;
    const asked = method === 'HEAD' ? 'GET' : method;
    return this.operations.find(
      (operation) => operation.method === asked && pathPattern(operation.path).test(path),
    );
  }

  resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : this.resolve(this.document.components.schemas[name]!);
  }

  /** @returns a description of the mismatch, or null */
  mismatch(schema: Schema, value: unknown): string | null {
    let validate = this.validators.get(schema);
    if (!validate) {
      validate = this.ajv.compile(withAbsoluteReferences(schema));
      this.validators.set(schema, validate);
    }
    return validate(value) ? null : this.ajv.errorsText(validate.errors, { dataVar: 'body' });
  }
}

const pathPattern = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`);

const withAbsoluteReferences = (schema: Schema) =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as AnySchema;
