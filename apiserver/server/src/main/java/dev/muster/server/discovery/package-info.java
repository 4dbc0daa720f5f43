/** Discovery: the documents from which clients learn the served APIs. */
@NullMarked
package dev.muster.server.discovery;

import org.jspecify.annotations.NullMarked;
