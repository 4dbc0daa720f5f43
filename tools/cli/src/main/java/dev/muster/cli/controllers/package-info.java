/** The controller manager as a command. */
@NullMarked
package dev.muster.cli.controllers;

import org.jspecify.annotations.NullMarked;
