/** What is wrong with an expression, kind by kind, in the words of kube-apiserver. */
@NullMarked
package dev.muster.cel.problem;

import org.jspecify.annotations.NullMarked;
