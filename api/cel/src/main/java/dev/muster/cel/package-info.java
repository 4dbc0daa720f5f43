/**
 * Checks CEL expressions, with kube-apiserver's error messages. No class is loaded before a request
 * contains an expression.
 */
@NullMarked
package dev.muster.cel;

import org.jspecify.annotations.NullMarked;
