/** Compiled FlowSchemas and PriorityLevelConfigurations, including the mandatory ones. */
@NullMarked
package dev.muster.flowcontrol.config;

import org.jspecify.annotations.NullMarked;
