/** What is wrong with names, numbers, labels and metadata, in the words of kube-apiserver. */
@NullMarked
package dev.muster.model.validation;

import org.jspecify.annotations.NullMarked;
