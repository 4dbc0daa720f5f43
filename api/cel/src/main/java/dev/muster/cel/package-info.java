/**
 * Says what is wrong with CEL expressions, in the words of kube-apiserver. Nothing here is loaded
 * before somebody writes an object that holds an expression.
 */
@NullMarked
package dev.muster.cel;

import org.jspecify.annotations.NullMarked;
