/**
 * Names and values: group/version/resource, metadata, selectors, quantities, Status, the compact
 * JSON tree.
 */
@NullMarked
package dev.muster.model;

import org.jspecify.annotations.NullMarked;
