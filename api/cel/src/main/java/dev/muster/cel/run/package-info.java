/**
 * Evaluates expressions: a checked expression becomes a {@link dev.muster.cel.run.Program}, a tree
 * of {@link dev.muster.cel.run.Step steps}, which computes a value from variables and counts the
 * cost in kube-apiserver's units.
 */
@NullMarked
package dev.muster.cel.run;

import org.jspecify.annotations.NullMarked;
