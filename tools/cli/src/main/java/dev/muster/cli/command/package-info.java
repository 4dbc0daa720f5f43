/** The base of all commands: the command tree, failures, logs, signals and connections. */
@NullMarked
package dev.muster.cli.command;

import org.jspecify.annotations.NullMarked;
