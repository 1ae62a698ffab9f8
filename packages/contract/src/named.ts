import * as v from 'valibot';

/** A schema that the OpenAPI document lists under a name. */
// @__NO_SIDE_EFFECTS__
export const named = <const Schema extends v.GenericSchema>(ref: string, schema: Schema) =>
  v.pipe(schema, v.metadata({ ref }));
