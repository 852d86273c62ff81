#include "fmu_core.h"

#include <string.h>

/* a sliding element is told from one that just broke away */
#define AT_REST 1e-9

static void take(fmu_arm *arm)
{
    int k;
    for (k = 0; k < U_COUNT; ++k) {
        if (model_input_of[k] >= 0) {
            arm->w[W_U + k] = arm->v[model_input_of[k]];
        }
    }
    for (k = 0; k < P_COUNT; ++k) {
        arm->w[W_P + k] = arm->v[model_parameter_of[k]];
    }
}

static int closes(const fmu_arm *arm)
{
    return (GUESS_COUNT == 0) || (arm->w[W_GAP] < GAP_MOST);
}

static void place(fmu_arm *arm)
{
    int k;
    memcpy(arm->w, model_row, sizeof arm->w);
    take(arm);
    for (k = 0; k < Q_COUNT; ++k) {
        arm->w[W_Q0 + k] = arm->v[V_Q + k];
        arm->w[W_QD0 + k] = arm->v[V_QD + k];
    }
    arm->w[W_T] = arm->time;
    model_begin(arm->w);
    for (k = 0; k < MODE_COUNT; ++k) {
        const double rate = arm->w[W_Y + N_COUNT + k];
        arm->w[W_MODE + k] = (rate > 0.0) ? 1.0 : ((rate < 0.0) ? -1.0 : 0.0);
    }
}

void fmu_reset(fmu_arm *arm)
{
    memset(arm, 0, sizeof *arm);
    memcpy(arm->v, model_start, sizeof arm->v);
    memcpy(arm->w, model_row, sizeof arm->w);
}

void fmu_refresh(fmu_arm *arm)
{
    int k;
    if (arm->fresh) {
        return;
    }
    if (arm->begun) {
        take(arm);
    } else {
        place(arm);
    }
    arm->w[W_T] = arm->time;
    model_look(arm->w);
    for (k = 0; k < V_COUNT; ++k) {
        if (model_shown_at[k] >= 0) {
            arm->v[k] = arm->w[model_shown_at[k]];
        }
    }
    arm->v[0] = arm->time;
    arm->fresh = 1;
}

int fmu_get(fmu_arm *arm, unsigned int reference, double *value)
{
    if ((reference >= V_COUNT) && (reference < V_COUNT + MODE_COUNT)) {
        double z[MODE_COUNT + 1];
        fmu_indicators(arm, z);
        *value = z[reference - V_COUNT];
        return 1;
    }
    if (reference >= V_COUNT) {
        return 0;
    }
    fmu_refresh(arm);
    *value = arm->v[reference];
    return 1;
}

int fmu_set(fmu_arm *arm, unsigned int reference, double value, int initialising)
{
    int kind;
    if (reference >= V_COUNT) {
        return 0;
    }
    kind = model_settable[reference];
    if ((kind == 0) || ((kind == 1) && !initialising)) {
        return 0;
    }
    arm->v[reference] = value;
    arm->fresh = 0;
    return 1;
}

int fmu_begin(fmu_arm *arm)
{
    int k;
    if (!arm->begun) {
        place(arm);
        arm->begun = 1;
        arm->fresh = 0;
    }
    if (!closes(arm)) {
        return 0;
    }
    fmu_refresh(arm);
    for (k = 0; k < Y_COUNT; ++k) {
        if (!(arm->w[W_YDOT + k] - arm->w[W_YDOT + k] == 0.0)) {
            return 0;  /* a closed form that has no number there */
        }
    }
    return 1;
}

int fmu_advance(fmu_arm *arm, double time, double length)
{
    const double steps = length / STEP;
    long count = (long)(steps + 1.0 - 1e-6);
    long k;
    if (count < 1) {
        count = 1;
    }
    take(arm);
    arm->w[W_T] = time;
    arm->w[W_DT] = ((steps - (double)count < 1e-6) && ((double)count - steps < 1e-6)) ? STEP : length / (double)count;
    model_sync(arm->w);
    for (k = 0; k < count; ++k) {
        model_step(arm->w);
        if (arm->w[W_HALT] > 1.5) {
            return 0;
        }
        arm->w[W_HALT] = 0.0;
    }
    arm->time = time + length;
    arm->w[W_T] = arm->time;
    arm->fresh = 0;
    return 1;
}

void fmu_states(fmu_arm *arm, double *y)
{
    fmu_refresh(arm);
    memcpy(y, arm->w + W_Y, Y_COUNT * sizeof(double));
}

void fmu_set_states(fmu_arm *arm, const double *y)
{
    memcpy(arm->w + W_Y, y, Y_COUNT * sizeof(double));
    arm->fresh = 0;
}

void fmu_derivatives(fmu_arm *arm, double *ydot)
{
    fmu_refresh(arm);
    memcpy(ydot, arm->w + W_YDOT, Y_COUNT * sizeof(double));
}

void fmu_indicators(fmu_arm *arm, double *z)
{
    int k;
    fmu_refresh(arm);
    for (k = 0; k < MODE_COUNT; ++k) {
        const double mode = arm->w[W_MODE + k];
        z[k] = (mode == 0.0) ? -arm->w[W_EXCESS + k] : mode * arm->w[W_Y + N_COUNT + k] + AT_REST;
    }
}

int fmu_event(fmu_arm *arm)
{
    int changed = 0, round, k;
    if (GUESS_COUNT > 0) {
        model_settle(arm->w);
    }
    for (k = 0; k < MODE_COUNT; ++k) {
        double *rate = &arm->w[W_Y + N_COUNT + k];
        double *mode = &arm->w[W_MODE + k];
        if ((*mode != 0.0) && (*mode * *rate <= 0.0)) {
            changed = changed || (*rate != 0.0);
            *rate = 0.0;
            *mode = 0.0;
        }
    }
    for (round = 0; round < 2 * MODE_COUNT + 2; ++round) {
        /* the most pushed of those that stick breaks away, until all agree */
        int worst = -1;
        double most = 0.0;
        arm->fresh = 0;
        fmu_refresh(arm);
        for (k = 0; k < MODE_COUNT; ++k) {
            if (arm->w[W_EXCESS + k] > most) {
                most = arm->w[W_EXCESS + k];
                worst = k;
            }
        }
        if (worst >= 0) {
            arm->w[W_MODE + worst] = arm->w[W_PUSH + worst];
        } else {
            int back = 0;
            for (k = 0; k < MODE_COUNT; ++k) {
                if ((arm->w[W_MODE + k] != 0.0) && (arm->w[W_Y + N_COUNT + k] == 0.0) && (arm->w[W_BACK + k] > 0.0)) {
                    arm->w[W_MODE + k] = 0.0;
                    back = 1;
                }
            }
            if (!back) {
                break;
            }
        }
    }
    arm->fresh = 0;
    return changed;
}
