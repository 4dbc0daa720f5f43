/** What authorization asks and answers: who wants to do what, rules, decisions. */
@NullMarked
package dev.muster.access;

import org.jspecify.annotations.NullMarked;
