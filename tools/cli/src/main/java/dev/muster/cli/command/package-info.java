/** What all commands share: their tree, their failures, logs, signals and connections. */
@NullMarked
package dev.muster.cli.command;

import org.jspecify.annotations.NullMarked;
