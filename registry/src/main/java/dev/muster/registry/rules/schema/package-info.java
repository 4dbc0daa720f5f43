/**
 * Values held against the schema of a custom resource: its rules, and whole objects within them.
 */
@NullMarked
package dev.muster.registry.rules.schema;

import org.jspecify.annotations.NullMarked;
