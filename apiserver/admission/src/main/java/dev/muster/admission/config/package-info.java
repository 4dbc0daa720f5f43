/**
 * Plugin configuration: the {@code --admission-control-config-file} and the files that it names.
 */
@NullMarked
package dev.muster.admission.config;

import org.jspecify.annotations.NullMarked;
