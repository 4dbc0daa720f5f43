/** Defaults and rules of what adds APIs: API services and definitions of custom resources. */
@NullMarked
package dev.muster.validation.apis;

import org.jspecify.annotations.NullMarked;
