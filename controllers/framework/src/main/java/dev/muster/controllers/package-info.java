/** The common base of all controllers. */
@NullMarked
package dev.muster.controllers;

import org.jspecify.annotations.NullMarked;
