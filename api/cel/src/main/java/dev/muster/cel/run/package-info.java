/**
 * Evaluates expressions: a checked expression becomes a {@link dev.muster.cel.run.Program}, a tree
 * of {@link dev.muster.cel.run.Step steps}, that answers for given variables and counts what it
 * costs in kube-apiserver's units.
 */
@NullMarked
package dev.muster.cel.run;

import org.jspecify.annotations.NullMarked;
