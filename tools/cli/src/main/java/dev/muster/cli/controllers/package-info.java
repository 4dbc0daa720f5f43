/** The controller manager command. */
@NullMarked
package dev.muster.cli.controllers;

import org.jspecify.annotations.NullMarked;
