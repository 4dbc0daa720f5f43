/** The OpenAPI documents, versions 2 and 3, made from the schemas and the catalog of resources. */
@NullMarked
package dev.muster.openapi;

import org.jspecify.annotations.NullMarked;
