/*
 * What FMI 2.0 and 3.0 have in common, but for the names of types. Who includes it defines FMI(Name) and KEPT(Verb), the
 * names of functions; the types fmu_handle, fmu_status, fmu_boolean, fmu_string, fmu_kept and fmu_byte; OK; fmu_instance
 * with its arm and whether it is initialising; and refuse.
 */

EXPORT fmu_status FMI(SetDebugLogging)(fmu_handle c, fmu_boolean on, size_t n, const fmu_string categories[])
{
    (void)c; (void)on; (void)n; (void)categories;
    return OK;
}

EXPORT void FMI(FreeInstance)(fmu_handle c) { free(c); }

EXPORT fmu_status FMI(ExitInitializationMode)(fmu_handle c)
{
    fmu_instance *i = (fmu_instance *)c;
    if (!fmu_begin(&i->arm)) {
        return refuse(c, "the loops of the arm do not close at the joints it starts from");
    }
    i->initialising = 0;
    return OK;
}

EXPORT fmu_status FMI(Terminate)(fmu_handle c) { (void)c; return OK; }

EXPORT fmu_status FMI(Reset)(fmu_handle c)
{
    fmu_instance *i = (fmu_instance *)c;
    fmu_reset(&i->arm);
    i->initialising = 1;
    return OK;
}

static fmu_status start_at(fmu_handle c, double time)
{
    fmu_instance *i = (fmu_instance *)c;
    i->arm.time = time;
    i->arm.fresh = 0;
    return OK;
}

/* variables */

static fmu_status get(fmu_handle c, const unsigned int vr[], size_t n, double value[])
{
    fmu_instance *i = (fmu_instance *)c;
    size_t k;
    for (k = 0; k < n; ++k) {
        if (!fmu_get(&i->arm, vr[k], &value[k])) {
            return refuse(c, "there is no variable of that reference");
        }
    }
    return OK;
}

static fmu_status set(fmu_handle c, const unsigned int vr[], size_t n, const double value[])
{
    fmu_instance *i = (fmu_instance *)c;
    size_t k;
    for (k = 0; k < n; ++k) {
        if (!fmu_set(&i->arm, vr[k], value[k], i->initialising)) {
            return refuse(c, "a variable that cannot be set now");
        }
    }
    return OK;
}

/* states that are kept */

EXPORT fmu_status KEPT(Get)(fmu_handle c, fmu_kept *state)
{
    if (!*state) {
        *state = malloc(sizeof(fmu_instance));
    }
    if (!*state) {
        return refuse(c, "no memory for a state");
    }
    memcpy(*state, c, sizeof(fmu_instance));
    return OK;
}

EXPORT fmu_status KEPT(Set)(fmu_handle c, fmu_kept state)
{
    fmu_instance *i = (fmu_instance *)c;
    const fmu_instance *from = (const fmu_instance *)state;
    i->arm = from->arm;
    i->initialising = from->initialising;
    return OK;
}

EXPORT fmu_status KEPT(Free)(fmu_handle c, fmu_kept *state)
{
    (void)c;
    free(*state);
    *state = NULL;
    return OK;
}

EXPORT fmu_status SERIALIZED_SIZE(fmu_handle c, fmu_kept state, size_t *size)
{
    (void)state; (void)size;
    return refuse(c, "states are not serialised");
}

EXPORT fmu_status KEPT(Serialize)(fmu_handle c, fmu_kept state, fmu_byte bytes[], size_t size)
{
    (void)state; (void)bytes; (void)size;
    return refuse(c, "states are not serialised");
}

EXPORT fmu_status DESERIALIZE(fmu_handle c, const fmu_byte bytes[], size_t size, fmu_kept *state)
{
    (void)bytes; (void)size; (void)state;
    return refuse(c, "states are not serialised");
}

/* model exchange */

EXPORT fmu_status FMI(EnterEventMode)(fmu_handle c) { (void)c; return OK; }
EXPORT fmu_status FMI(EnterContinuousTimeMode)(fmu_handle c) { (void)c; return OK; }

EXPORT fmu_status FMI(CompletedIntegratorStep)(fmu_handle c, fmu_boolean keep, fmu_boolean *event, fmu_boolean *end)
{
    fmu_instance *i = (fmu_instance *)c;
    (void)keep;
    model_settle(i->arm.w);
    *event = 0;
    *end = 0;
    return OK;
}

EXPORT fmu_status FMI(SetTime)(fmu_handle c, double time) { return start_at(c, time); }

EXPORT fmu_status FMI(SetContinuousStates)(fmu_handle c, const double y[], size_t n)
{
    fmu_instance *i = (fmu_instance *)c;
    if (n != Y_COUNT) {
        return refuse(c, "so many states are not there");
    }
    fmu_set_states(&i->arm, y);
    return OK;
}

#define STATES_OF(Name, Function, Count) \
    EXPORT fmu_status Name(fmu_handle c, double out[], size_t n) \
    { \
        fmu_instance *i = (fmu_instance *)c; \
        if (n != (size_t)(Count)) { \
            return refuse(c, "so many numbers are not there"); \
        } \
        Function(&i->arm, out); \
        return OK; \
    }
STATES_OF(DERIVATIVES, fmu_derivatives, Y_COUNT)
STATES_OF(FMI(GetContinuousStates), fmu_states, Y_COUNT)
STATES_OF(FMI(GetEventIndicators), fmu_indicators, MODE_COUNT)

EXPORT fmu_status FMI(GetNominalsOfContinuousStates)(fmu_handle c, double out[], size_t n)
{
    size_t k;
    (void)c;
    for (k = 0; k < n; ++k) {
        out[k] = 1.0;
    }
    return OK;
}
