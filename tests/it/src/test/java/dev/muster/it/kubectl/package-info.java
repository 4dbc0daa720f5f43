/** What users do with kubectl, one command after the other: what it prints, and what is stored. */
@NullMarked
package dev.muster.it.kubectl;

import org.jspecify.annotations.NullMarked;
