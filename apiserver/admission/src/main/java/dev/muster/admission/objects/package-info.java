/**
 * Built-in plugins about other resources than pods, nodes and namespaces: default classes,
 * services, volumes and events; also {@code AlwaysDeny}.
 */
@NullMarked
package dev.muster.admission.objects;

import org.jspecify.annotations.NullMarked;
