/** Validates names, numbers, labels and metadata with kube-apiserver's messages. */
@NullMarked
package dev.muster.model.validation;

import org.jspecify.annotations.NullMarked;
