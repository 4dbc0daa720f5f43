/** The samples of docs/tasks/testing.md, built by processes of their own. */
@NullMarked
package dev.muster.it.samples;

import org.jspecify.annotations.NullMarked;
