/** Makes the schemas of built-in types from the Kubernetes Java client, during the build. */
@NullMarked
package dev.muster.schema.generator;

import org.jspecify.annotations.NullMarked;
