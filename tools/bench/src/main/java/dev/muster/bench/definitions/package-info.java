/** What CustomResourceDefinitions cost as they become many. */
@NullMarked
package dev.muster.bench.definitions;

import org.jspecify.annotations.NullMarked;
