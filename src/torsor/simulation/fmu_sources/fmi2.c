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

static fmi2Status refuse(fmi2Component c, const char *why)
{
    const fmu_instance *i = (const fmu_instance *)c;
    if (i && i->callbacks && i->callbacks->logger) {
        i->callbacks->logger(i->callbacks->componentEnvironment, i->name, fmi2Error, "logStatusError", "%s", why);
    }
    return fmi2Error;
}

/* what both versions have, by the names of this one */
#define FMI(Name) fmi2##Name
#define KEPT(Verb) fmi2##Verb##FMUstate
#define SERIALIZED_SIZE fmi2SerializedFMUstateSize
#define DESERIALIZE fmi2DeSerializeFMUstate
#define DERIVATIVES fmi2GetDerivatives
#define OK fmi2OK
typedef fmi2Component fmu_handle;
typedef fmi2Status fmu_status;
typedef fmi2Boolean fmu_boolean;
typedef fmi2String fmu_string;
typedef fmi2FMUstate fmu_kept;
typedef fmi2Byte fmu_byte;
#include "fmu_both.h"

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }

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

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean bounded, fmi2Real tolerance, fmi2Real start,
                                      fmi2Boolean ends, fmi2Real stop)
{
    (void)bounded; (void)tolerance; (void)ends; (void)stop;
    return start_at(c, start);
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) { (void)c; return fmi2OK; }

EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    return get(c, vr, n, value);
}

EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[])
{
    return set(c, vr, n, value);
}

#define NONE_OF(Name, Kind) \
    EXPORT fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference vr[], size_t n, Kind value[]) \
    { (void)vr; (void)value; return n ? refuse(c, "all variables are of type Real") : fmi2OK; } \
    EXPORT fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference vr[], size_t n, const Kind value[]) \
    { (void)vr; (void)value; return n ? refuse(c, "all variables are of type Real") : fmi2OK; }
NONE_OF(Integer, fmi2Integer)
NONE_OF(Boolean, fmi2Boolean)
NONE_OF(String, fmi2String)

EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknown[], size_t n,
                                               const fmi2ValueReference known[], size_t m, const fmi2Real seed[],
                                               fmi2Real sensitivity[])
{
    (void)unknown; (void)n; (void)known; (void)m; (void)seed; (void)sensitivity;
    return refuse(c, "there are no directional derivatives");
}

/* model exchange */

EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    fmu_instance *i = (fmu_instance *)c;
    memset(info, 0, sizeof *info);
    info->valuesOfContinuousStatesChanged = fmu_event(&i->arm);
    return fmi2OK;
}

/* co-simulation */

EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                              const fmi2Integer order[], const fmi2Real value[])
{
    (void)vr; (void)n; (void)order; (void)value;
    return refuse(c, "inputs are held over a step");
}

EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n,
                                               const fmi2Integer order[], fmi2Real value[])
{
    (void)vr; (void)n; (void)order; (void)value;
    return refuse(c, "derivatives of outputs are outputs themselves");
}

EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real length, fmi2Boolean no_way_back)
{
    fmu_instance *i = (fmu_instance *)c;
    (void)no_way_back;
    if (!((length > 0.0) && (length < STEPS_MOST * STEP))) {
        return refuse(c, "a step is longer than zero, and less than a thousand million of the model's own");
    }
    return fmu_advance(&i->arm, time, length) ? fmi2OK : refuse(c, "the motion is lost: it diverged, or a loop opened");
}

EXPORT fmi2Status fmi2CancelStep(fmi2Component c) { return refuse(c, "steps are not asynchronous"); }

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
