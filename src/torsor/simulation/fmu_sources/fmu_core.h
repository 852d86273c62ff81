/*
 * An arm as an FMU: what both versions of FMI share. The generated model.c defines what is declared here as "of the
 * model"; fmu_core.c steps and shows it.
 */
#ifndef TORSOR_FMU_CORE_H
#define TORSOR_FMU_CORE_H

#include <stddef.h>
#include "model_sizes.h"

#define STEPS_MOST 1e9 /* in one step of a master */

/* of the model: where things are in its workspace w, and which variables show them */
extern const char *const model_token;
extern const double model_row[W_SIZE];       /* the workspace at the start */
extern const double model_start[V_SIZE];     /* all variables at the start */
extern const int model_settable[V_SIZE];     /* 0: no; 1: before initialisation; 2: parameter; 3: input */
extern const int model_input_of[U_SIZE];     /* the variable of each torque, or -1 */
extern const int model_parameter_of[P_SIZE]; /* the variable of each parameter */
extern const int model_state_of[Y_SIZE];     /* the variable of each state */
extern const int model_shown_at[V_SIZE];     /* where in the workspace a variable is found, or -1 */
void model_begin(double *w); /* states from the joints that are set, with loops followed from the reference */
void model_step(double *w);
void model_sync(double *w);  /* what the stepper holds of the state beside it */
void model_look(double *w);  /* all that is shown, at the state of the workspace */
void model_settle(double *w);  /* loops closed where they are */

typedef struct {
    double w[W_SIZE];
    double v[V_SIZE];
    double time;
    int begun;  /* whether the start was left behind */
    int fresh;  /* whether v shows what w holds */
    double known;  /* the time up to which loops are followed */
} fmu_arm;

void fmu_reset(fmu_arm *arm);
void fmu_refresh(fmu_arm *arm);
int fmu_get(fmu_arm *arm, unsigned int reference, double *value);
int fmu_set(fmu_arm *arm, unsigned int reference, double value, int initialising);
int fmu_begin(fmu_arm *arm);  /* 0 where loops do not close at the start */
int fmu_advance(fmu_arm *arm, double time, double length);  /* 0 where the motion is lost */
void fmu_states(fmu_arm *arm, double *y);
void fmu_set_states(fmu_arm *arm, const double *y);
void fmu_derivatives(fmu_arm *arm, double *ydot);
void fmu_indicators(fmu_arm *arm, double *z);
int fmu_event(fmu_arm *arm);  /* sticking and sliding decided anew; whether a state was changed */

#endif
