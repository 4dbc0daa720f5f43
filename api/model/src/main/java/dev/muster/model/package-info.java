/**
 * Names and values of Kubernetes: group/version/resource, quantities, times, users and generated
 * names.
 */
@NullMarked
package dev.muster.model;

import org.jspecify.annotations.NullMarked;
