/* FMI 3.0: model exchange and co-simulation. Types are those of the standard, written out. */
#include "fmu_core.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

typedef void *fmi3Instance;
typedef void *fmi3InstanceEnvironment;
typedef void *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef bool fmi3Clock;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean, fmi3Boolean *, fmi3Float64 *);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

typedef struct {
    fmu_arm arm;
    fmi3LogMessageCallback log;
    fmi3InstanceEnvironment environment;
    int initialising;
} fmu_instance;

static fmi3Status refuse(fmi3Instance c, const char *why)
{
    fmu_instance *i = (fmu_instance *)c;
    if (i && i->log) {
        i->log(i->environment, fmi3Error, "logStatusError", why);
    }
    return fmi3Error;
}

static fmi3Instance made(fmi3String token, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    fmu_instance *i;
    if (!token || strcmp(token, model_token) != 0) {
        return NULL;
    }
    i = (fmu_instance *)calloc(1, sizeof *i);
    if (!i) {
        return NULL;
    }
    i->log = log;
    i->environment = environment;
    i->initialising = 1;
    fmu_reset(&i->arm);
    return i;
}

/* what both versions have, by the names of this one */
#define FMI(Name) fmi3##Name
#define KEPT(Verb) fmi3##Verb##FMUState
#define SERIALIZED_SIZE fmi3SerializedFMUStateSize
#define DESERIALIZE fmi3DeserializeFMUState
#define DERIVATIVES fmi3GetContinuousStateDerivatives
#define OK fmi3OK
typedef fmi3Instance fmu_handle;
typedef fmi3Status fmu_status;
typedef fmi3Boolean fmu_boolean;
typedef fmi3String fmu_string;
typedef fmi3FMUState fmu_kept;
typedef fmi3Byte fmu_byte;
#include "fmu_both.h"

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }

EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                 fmi3Boolean visible, fmi3Boolean logging,
                                                 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    (void)name; (void)resources; (void)visible; (void)logging;
    return made(token, environment, log);
}

EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                                fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean events,
                                                fmi3Boolean early, const fmi3ValueReference between[], size_t n,
                                                fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                fmi3IntermediateUpdateCallback update)
{
    (void)name; (void)resources; (void)visible; (void)logging; (void)early; (void)between; (void)n; (void)update;
    if (events) {
        return NULL;  /* the description says that there is no event mode */
    }
    return made(token, environment, log);
}

EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                      fmi3Boolean visible, fmi3Boolean logging,
                                                      fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                      fmi3ClockUpdateCallback clock, fmi3LockPreemptionCallback lock,
                                                      fmi3UnlockPreemptionCallback unlock)
{
    (void)name; (void)token; (void)resources; (void)visible; (void)logging; (void)environment; (void)log;
    (void)clock; (void)lock; (void)unlock;
    return NULL;
}

EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean bounded, fmi3Float64 tolerance,
                                              fmi3Float64 start, fmi3Boolean ends, fmi3Float64 stop)
{
    (void)bounded; (void)tolerance; (void)ends; (void)stop;
    return start_at(c, start);
}

EXPORT fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 value[], size_t m)
{
    return (n == m) ? get(c, vr, n, value) : refuse(c, "variables are scalars: as many values as references");
}

EXPORT fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 value[],
                                 size_t m)
{
    return (n == m) ? set(c, vr, n, value) : refuse(c, "variables are scalars: as many values as references");
}

#define NONE_OF(Name, Kind) \
    EXPORT fmi3Status fmi3Get##Name(fmi3Instance c, const fmi3ValueReference vr[], size_t n, Kind value[], size_t m) \
    { (void)vr; (void)value; (void)m; return n ? refuse(c, "all variables are of type Float64") : fmi3OK; } \
    EXPORT fmi3Status fmi3Set##Name(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const Kind value[], \
                                    size_t m) \
    { (void)vr; (void)value; (void)m; return n ? refuse(c, "all variables are of type Float64") : fmi3OK; }
NONE_OF(Float32, fmi3Float32)
NONE_OF(Int8, fmi3Int8)
NONE_OF(UInt8, fmi3UInt8)
NONE_OF(Int16, fmi3Int16)
NONE_OF(UInt16, fmi3UInt16)
NONE_OF(Int32, fmi3Int32)
NONE_OF(UInt32, fmi3UInt32)
NONE_OF(Int64, fmi3Int64)
NONE_OF(UInt64, fmi3UInt64)
NONE_OF(Boolean, fmi3Boolean)
NONE_OF(String, fmi3String)

EXPORT fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t n, size_t sizes[],
                                fmi3Binary value[], size_t m)
{
    (void)vr; (void)sizes; (void)value; (void)m;
    return n ? refuse(c, "all variables are of type Float64") : fmi3OK;
}

EXPORT fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const size_t sizes[],
                                const fmi3Binary value[], size_t m)
{
    (void)vr; (void)sizes; (void)value; (void)m;
    return n ? refuse(c, "all variables are of type Float64") : fmi3OK;
}

EXPORT fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Clock value[])
{
    (void)vr; (void)value;
    return n ? refuse(c, "there are no clocks") : fmi3OK;
}

EXPORT fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Clock value[])
{
    (void)vr; (void)value;
    return n ? refuse(c, "there are no clocks") : fmi3OK;
}

EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t *n)
{
    (void)vr; (void)n;
    return refuse(c, "dependencies are not told one by one");
}

EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t a[],
                                              fmi3ValueReference b[], size_t d[], fmi3DependencyKind kinds[], size_t n)
{
    (void)vr; (void)a; (void)b; (void)d; (void)kinds; (void)n;
    return refuse(c, "dependencies are not told one by one");
}

#define NO_DERIVATIVES(Name) \
    EXPORT fmi3Status Name(fmi3Instance c, const fmi3ValueReference a[], size_t n, const fmi3ValueReference b[], \
                           size_t m, const fmi3Float64 seed[], size_t s, fmi3Float64 out[], size_t o) \
    { (void)a; (void)n; (void)b; (void)m; (void)seed; (void)s; (void)out; (void)o; \
      return refuse(c, "there are no directional derivatives"); }
NO_DERIVATIVES(fmi3GetDirectionalDerivative)
NO_DERIVATIVES(fmi3GetAdjointDerivative)

EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) { (void)c; return fmi3OK; }
EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) { (void)c; return fmi3OK; }

EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 out[],
                                         fmi3IntervalQualifier kinds[])
{
    (void)vr; (void)n; (void)out; (void)kinds;
    return refuse(c, "there are no clocks");
}

EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3UInt64 counters[],
                                          fmi3UInt64 resolutions[], fmi3IntervalQualifier kinds[])
{
    (void)vr; (void)n; (void)counters; (void)resolutions; (void)kinds;
    return refuse(c, "there are no clocks");
}

EXPORT fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 out[])
{
    (void)vr; (void)n; (void)out;
    return refuse(c, "there are no clocks");
}

EXPORT fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3UInt64 counters[],
                                       fmi3UInt64 resolutions[])
{
    (void)vr; (void)n; (void)counters; (void)resolutions;
    return refuse(c, "there are no clocks");
}

EXPORT fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 in[])
{
    (void)vr; (void)n; (void)in;
    return refuse(c, "there are no clocks");
}

EXPORT fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t n,
                                          const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)vr; (void)n; (void)counters; (void)resolutions;
    return refuse(c, "there are no clocks");
}

EXPORT fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 in[])
{
    (void)vr; (void)n; (void)in;
    return refuse(c, "there are no clocks");
}

EXPORT fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t n,
                                       const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    (void)vr; (void)n; (void)counters; (void)resolutions;
    return refuse(c, "there are no clocks");
}

EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) { (void)c; return fmi3OK; }

EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *end, fmi3Boolean *nominals,
                                           fmi3Boolean *values, fmi3Boolean *defined, fmi3Float64 *next)
{
    fmu_instance *i = (fmu_instance *)c;
    *again = false;
    *end = false;
    *nominals = false;
    *values = fmu_event(&i->arm) != 0;
    *defined = false;
    *next = 0.0;
    return fmi3OK;
}

/* model exchange */

EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *n)
{
    (void)c;
    *n = MODE_COUNT;
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *n)
{
    (void)c;
    *n = Y_COUNT;
    return fmi3OK;
}

/* co-simulation */

EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance c) { (void)c; return fmi3OK; }

EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference vr[], size_t n,
                                           const fmi3Int32 orders[], fmi3Float64 out[], size_t m)
{
    (void)vr; (void)n; (void)orders; (void)out; (void)m;
    return refuse(c, "derivatives of outputs are outputs themselves");
}

EXPORT fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 length, fmi3Boolean no_way_back,
                             fmi3Boolean *event, fmi3Boolean *end, fmi3Boolean *early, fmi3Float64 *last)
{
    fmu_instance *i = (fmu_instance *)c;
    (void)no_way_back;
    *event = false;
    *end = false;
    *early = false;
    *last = time;
    if (!((length > 0.0) && (length < STEPS_MOST * STEP))) {
        return refuse(c, "a step is longer than zero, and less than a thousand million of the model's own");
    }
    if (!fmu_advance(&i->arm, time, length)) {
        return refuse(c, "the motion is lost: it diverged, or a loop opened");
    }
    *last = i->arm.time;
    return fmi3OK;
}

EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time)
{
    (void)clock; (void)time;
    return refuse(c, "there are no clocks");
}
