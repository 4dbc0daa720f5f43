/**
 * Built-in plugins about kinds other than pods, nodes and namespaces: classes that are filled in,
 * services, volumes, events; and the plugin that refuses everything.
 */
@NullMarked
package dev.muster.admission.objects;

import org.jspecify.annotations.NullMarked;
