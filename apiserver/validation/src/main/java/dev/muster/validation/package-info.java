/**
 * Strategies of built-in types, written as data. {@link dev.muster.validation.Default} declares
 * defaults, {@link dev.muster.validation.Rule} declares validation, and {@link
 * dev.muster.validation.ResourceRules} combines both to a strategy. A rule is code only where
 * {@link dev.muster.validation.Rules} and {@link dev.muster.validation.FieldChecks} do not suffice.
 *
 * <p>Errors are reported in the order of the rules. The rules follow kube-apiserver's order,
 * because clients show the first error.
 */
@NullMarked
package dev.muster.validation;

import org.jspecify.annotations.NullMarked;
