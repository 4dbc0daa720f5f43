/** The controller of CustomResourceDefinitions, which every server runs. */
@NullMarked
package dev.muster.server.definitions;

import org.jspecify.annotations.NullMarked;
