/** Controllers against a real server. */
@NullMarked
package dev.muster.it.controllers;

import org.jspecify.annotations.NullMarked;
