/**
 * Defaults and rules of built-in types as data: {@link dev.muster.registry.rules.Default} says what
 * is filled in, {@link dev.muster.registry.rules.Rule} what is refused, and {@link
 * dev.muster.registry.rules.ResourceRules} puts them together to a resource's strategy. A rule is
 * written as code only where it cannot be put together from those in {@link
 * dev.muster.registry.rules.Rules} and {@link dev.muster.registry.rules.Checks}.
 *
 * <p>Errors come in the order in which the rules are listed; kube-apiserver's order is kept,
 * because clients show the first one.
 */
@NullMarked
package dev.muster.validation;

import org.jspecify.annotations.NullMarked;
