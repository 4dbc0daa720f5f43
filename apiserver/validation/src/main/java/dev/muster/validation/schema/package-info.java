/**
 * Values held against the schema of a custom resource: its rules, and whole objects within them.
 */
@NullMarked
package dev.muster.validation.schema;

import org.jspecify.annotations.NullMarked;
