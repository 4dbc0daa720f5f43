/**
 * Validates custom objects against their schema: validation rules, metadata and embedded objects.
 */
@NullMarked
package dev.muster.validation.schema;

import org.jspecify.annotations.NullMarked;
