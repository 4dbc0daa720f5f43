/** What every server does beside requests for the definitions of custom resources. */
@NullMarked
package dev.muster.server.definitions;

import org.jspecify.annotations.NullMarked;
