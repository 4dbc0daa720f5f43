/** What authorization asks and answers: who wants to do what, rules, decisions. */
@NullMarked
package dev.muster.authorization;

import org.jspecify.annotations.NullMarked;
