/* FMI 2.0: model exchange and co-simulation. Types are those of the standard, written out. */
#include "fmu_core.h"

#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef void *fmi2Component;
typedef void *fmi2ComponentEnvironment;
typedef void *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef const char *fmi2String;
typedef char fmi2Byte;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;
typedef struct {
    void (*logger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;
typedef struct {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

typedef struct {
    fmu_arm arm;
    const fmi2CallbackFunctions *callbacks;
    char name[128];
    int initialising;
} fmu_instance;

static fmi2Status refuse(fmu_instance *i, const char *why)
{
    if (i && i->callbacks && i->callbacks->logger) {
        i->callbacks->logger(i->callbacks->componentEnvironment, i->name, fmi2Error, "logStatusError", "%s", why);
    }
    return fmi2Error;
}

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }

EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[])
{
    (void)c; (void)on; (void)n; (void)categories;
    return fmi2OK;
}

EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String resources,
                                     const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging)
{
    fmu_instance *i;
    (void)type; (void)resources; (void)visible; (void)logging;
    if (!token || strcmp(token, model_token) != 0) {
        return NULL;
    }
    i = (fmu_instance *)calloc(1, sizeof *i);
    if (!i) {
        return NULL;
    }
    i->callbacks = callbacks;
    if (name) {
        strncpy(i->name, name, sizeof i->name - 1);
    }
    i->initialising = 1;
    fmu_reset(&i->arm);
    return i;
}

EXPORT void fmi2FreeInstance(fmi2Component c) { free(c); }

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean bounded, fmi2Real tolerance, fmi2Real start,
                                      fmi2Boolean ends, fmi2Real stop)
{
    fmu_instance *i = (fmu_instance *)c;
    (void)bounded; (void)tolerance; (void)ends; (void)stop;
    i->arm.time = start;
    i->arm.fresh = 0;
    return fmi2OK;
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) { (void)c; return fmi2OK; }

EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    fmu_instance *i = (fmu_instance *)c;
    if (!fmu_begin(&i->arm)) {
        return refuse(i, "the loops of the arm do not close at the joints it starts from");
    }
    i->initialising = 0;
    return fmi2OK;
}

EXPORT fmi2Status fmi2Terminate(fmi2Component c) { (void)c; return fmi2OK; }

EXPORT fmi2Status fmi2Reset(fmi2Component c)
{
    fmu_instance *i = (fmu_instance *)c;
    fmu_reset(&i->arm);
    i->initialising = 1;
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    fmu_instance *i = (fmu_instance *)c;
    size_t k;
    for (k = 0; k < n; ++k) {
        if (!fmu_get(&i->arm, vr[k], &value[k])) {
            return refuse(i, "there is no variable of that reference");
        }
    }
    return fmi2OK;
}

EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[])
{
    fmu_instance *i = (fmu_instance *)c;
    size_t k;
    for (k = 0; k < n; ++k) {
        if (!fmu_set(&i->arm, vr[k], value[k], i->initialising)) {
            return refuse(i, "a variable that cannot be set now");
        }
    }
    return fmi2OK;
}

#define NONE_OF(Name, Kind) \
    EXPORT fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference vr[], size_t n, Kind value[]) \
    { (void)vr; (void)value; return n ? refuse((fmu_instance *)c, "all variables are of type Real") : fmi2OK; } \
    EXPORT fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference vr[], size_t n, const Kind value[]) \
    { (void)vr; (void)value; return n ? refuse((fmu_instance *)c, "all variables are of type Real") : fmi2OK; }
NONE_OF(Integer, fmi2Integer)
NONE_OF(Boolean, fmi2Boolean)
NONE_OF(String, fmi2String)

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    fmu_instance *i = (fmu_instance *)c;
    if (!*state) {
        *state = malloc(sizeof *i);
    }
    if (!*state) {
        return refuse(i, "no memory for a state");
    }
    memcpy(*state, i, sizeof *i);
    return fmi2OK;
}

EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    fmu_instance *i = (fmu_instance *)c;
    const fmu_instance *from = (const fmu_instance *)state;
    i->arm = from->arm;
    i->initialising = from->initialising;
    return fmi2OK;
}

EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    (void)state; (void)size;
    return refuse((fmu_instance *)c, "states are not serialised");
}

EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    (void)state; (void)bytes; (void)size;
    return refuse((fmu_instance *)c, "states are not serialised");
}

EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    (void)bytes; (void)size; (void)state;
    return refuse((fmu_instance *)c, "states are not serialised");
}

EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t n,
                                               const fmi2ValueReference known[], size_t m, const fmi2Real seed[],
                                               fmi2Real sensitivity[])
{
    (void)unknown; (void)n; (void)known; (void)m; (void)seed; (void)sensitivity;
    return refuse((fmu_instance *)c, "there are no directional derivatives");
}

/* model exchange */

EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c) { (void)c; return fmi2OK; }

EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    fmu_instance *i = (fmu_instance *)c;
    memset(info, 0, sizeof *info);
    info->valuesOfContinuousStatesChanged = fmu_event(&i->arm);
    return fmi2OK;
}

EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { (void)c; return fmi2OK; }

EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean keep, fmi2Boolean *event, fmi2Boolean *end)
{
    fmu_instance *i = (fmu_instance *)c;
    (void)keep;
    model_settle(i->arm.w);
    *event = 0;
    *end = 0;
    return fmi2OK;
}

EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    fmu_instance *i = (fmu_instance *)c;
    i->arm.time = time;
    i->arm.fresh = 0;
    return fmi2OK;
}

EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real y[], size_t n)
{
    fmu_instance *i = (fmu_instance *)c;
    if (n != Y_COUNT) {
        return refuse(i, "so many states are not there");
    }
    fmu_set_states(&i->arm, y);
    return fmi2OK;
}

#define STATES_OF(Name, Function, Count) \
    EXPORT fmi2Status Name(fmi2Component c, fmi2Real out[], size_t n) \
    { \
        fmu_instance *i = (fmu_instance *)c; \
        if (n != (size_t)(Count)) { \
            return refuse(i, "so many numbers are not there"); \
        } \
        Function(&i->arm, out); \
        return fmi2OK; \
    }
STATES_OF(fmi2GetDerivatives, fmu_derivatives, Y_COUNT)
STATES_OF(fmi2GetContinuousStates, fmu_states, Y_COUNT)
STATES_OF(fmi2GetEventIndicators, fmu_indicators, MODE_COUNT)

EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real out[], size_t n)
{
    size_t k;
    (void)c;
    for (k = 0; k < n; ++k) {
        out[k] = 1.0;
    }
    return fmi2OK;
}

/* co-simulation */

EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                              const fmi2Integer order[], const fmi2Real value[])
{
    (void)vr; (void)n; (void)order; (void)value;
    return refuse((fmu_instance *)c, "inputs are held over a step");
}

EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                               const fmi2Integer order[], fmi2Real value[])
{
    (void)vr; (void)n; (void)order; (void)value;
    return refuse((fmu_instance *)c, "derivatives of outputs are outputs themselves");
}

EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real length, fmi2Boolean no_way_back)
{
    fmu_instance *i = (fmu_instance *)c;
    (void)no_way_back;
    if (!(length > 0.0)) {
        return refuse(i, "a step must be longer than zero");
    }
    return fmu_advance(&i->arm, time, length) ? fmi2OK : refuse(i, "the motion is lost: it diverged, or a loop opened");
}

EXPORT fmi2Status fmi2CancelStep(fmi2Component c) { return refuse((fmu_instance *)c, "steps are not asynchronous"); }

EXPORT fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)c; (void)kind;
    *value = fmi2OK;
    return fmi2Discard;
}

EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    fmu_instance *i = (fmu_instance *)c;
    if (kind != fmi2LastSuccessfulTime) {
        return fmi2Discard;
    }
    *value = i->arm.time;
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)c; (void)kind; (void)value;
    return fmi2Discard;
}

EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    (void)c;
    if (kind != fmi2Terminated) {
        return fmi2Discard;
    }
    *value = 0;
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)c; (void)kind; (void)value;
    return fmi2Discard;
}
