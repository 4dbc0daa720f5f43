/** Strategies of APIServices and CustomResourceDefinitions. */
@NullMarked
package dev.muster.validation.apis;

import org.jspecify.annotations.NullMarked;
