"""Functions of URScript that act: those that move and what stands around them, and those that are only read."""

from __future__ import annotations

from torsor.programs.language import Form

LISTS = {"three": 3, "six": 6}  # operands that are lists, where they are written out, and of how many numbers
# the first operand, where it is written out, is of the joints
JOINTS = ("movej", "movel", "servoj", "optimovej", "optimovel", "speedj")
KINDS = {"cog": "three", "CoG": "three", "inertia": "six", "xd": "six"}


def _form(method: str, names: str, required: int, example: str = "") -> tuple[Form, tuple[str, ...]]:
    operands = tuple(names.split())
    kinds = tuple("joints" if method in JOINTS and k == 0 else KINDS.get(operands[k], "any")
                  for k in range(len(operands)))  # fmt: skip
    return Form(method, kinds, required, example=example, named=True), operands


_ACTING = {
    "movej": _form("movej", "q a v t r", 1, "movej(q, a=1.4, v=1.05, t=0, r=0)"),
    "movel": _form("movel", "pose a v t r", 1, "movel(pose, a=1.2, v=0.25, t=0, r=0)"),
    "optimovej": _form("optimovej", "goal a v r", 1, "optimovej(goal, a=0.3, v=0.3, r=0)"),
    "optimovel": _form("optimovel", "goal a v r", 1, "optimovel(goal, a=0.3, v=0.3, r=0)"),
    "movep": _form("movep", "pose a v r", 1, "movep(pose, a=1.2, v=0.25, r=0)"),
    "movec": _form("movec", "pose_via pose_to a v r mode", 2, "movec(pose_via, pose_to, a=1.2, v=0.25, r=0)"),
    "servoj": _form("servoj", "q a v t lookahead_time gain", 1, "servoj(q, t=0.008)"),
    "set_tcp": _form("set_tcp", "pose tcp_name", 1, "set_tcp(p[0, 0, 0.1, 0, 0, 0])"),
    "set_payload": _form("set_payload", "m cog", 1, "set_payload(1.5, [0, 0, 0.05])"),
    "set_payload_mass": _form("set_payload", "m", 1),
    "set_payload_cog": _form("set_payload_cog", "CoG", 1),
    "set_target_payload": _form("set_payload", "m cog inertia transition_time", 1),
    "sleep": _form("sleep", "t", 1, "sleep(0.5)"),
    **{word: _form("set_output", "n b", 2) for word in
       ("set_digital_out", "set_standard_digital_out", "set_configurable_digital_out", "set_tool_digital_out",
        "set_flag")},
    **{word: _form("set_output", "n f", 2) for word in ("set_analog_out", "set_standard_analog_out")},
    "speedj": _form("speedj", "qd a t", 1, "speedj([0.1, 0, 0, 0, 0, 0], a=0.5, t=1)"),
    "speedl": _form("speedl", "xd a t aRot", 1, "speedl([0, 0, -0.05, 0, 0, 0], a=0.25, t=1)"),
    "servoc": _form("servoc", "pose a v r", 1, "servoc(pose, a=1.2, v=0.25, r=0)"),
    "stopj": _form("stopj", "a", 0, "stopj(2)"),
    "stopl": _form("stopl", "a aRot", 0, "stopl(1)"),
    "stop_conveyor_tracking": _form("stops", "a aRot", 0),
}  # fmt: skip
OPERANDS = {word: names for word, (_, names) in _ACTING.items()}
# what is read, and does nothing to the motion that is planned
TOLD = """
add_frame attach_frame clear_frame_tree clear_interpreter conveyor_pulse_decode delete_frame enable_external_ft_sensor
encoder_enable_pulse_decode encoder_enable_set_tick_count encoder_set_tick_count end_force_mode end_freedrive_mode
end_interpreter end_path_offset end_screw_driving end_teach_mode end_tool_contact force_mode_set_damping
force_mode_set_gain_scaling ft_rtde_input_enable high_holding_torque_disable high_holding_torque_enable
interpreter_mode modbus_add_rtu_signal modbus_add_rw_signal modbus_add_signal modbus_delete_signal
modbus_request_update_signal_value modbus_reset_connection modbus_send_custom_command modbus_set_digital_input_action
modbus_set_output_register modbus_set_output_signal modbus_set_runstate_dependent_choice
modbus_set_signal_update_frequency modbus_set_signal_watchdog motion_version_set move_frame path_offset_disable
path_offset_enable path_offset_set path_offset_set_alpha_filter path_offset_set_max_offset pause_on_error_code popup
position_deviation_warning protective_stop reset_revolution_counter reset_world_model rtde_set_watchdog
set_analog_inputrange set_analog_outputdomain set_baselight_iec set_baselight_off
set_configurable_digital_input_action set_conveyor_tick_count set_euromap_output set_euromap_runstate_dependent_choice
set_fan_control set_fieldbus_register_timeout set_friction_compensation set_friction_scales
set_gp_boolean_input_action set_gravity set_input_actions_to_default set_pos set_reference_current
set_runstate_configurable_digital_output_to_value set_runstate_gp_boolean_output_to_value set_runstate_outputs
set_runstate_standard_analog_output_to_value set_runstate_standard_digital_output_to_value
set_runstate_standard_digital_outputs set_runstate_tool_digital_output_to_value set_safety_mode_transition_hardness
set_safety_planes set_standard_analog_input_domain set_standard_digital_input_action set_tool_analog_input_domain
set_tool_analog_output_domain set_tool_communication set_tool_digital_input_action set_tool_digital_output_mode
set_tool_output_mode set_tool_voltage set_watchdog socket_close socket_send_byte socket_send_int socket_send_line
socket_send_string socket_set_var stop_program sync textmsg tool_wrench_limit_disable tool_wrench_limit_set
write_output_boolean_register write_output_float_register write_output_integer_register write_port_bit
write_port_register zero_ftsensor
""".split()  # noqa: SIM905
SAYING = ("popup", "textmsg", "socket_send", "socket_set", "write_", "set_tool", "set_analog", "set_standard",
          "set_conf", "set_gravity")  # what begins so says something  # fmt: skip
# how many values they are given at least, as the manual has it; of some it was fewer in one version or the other
LEAST = {
    **dict.fromkeys("""
conveyor_pulse_decode force_mode_set_damping force_mode_set_gain_scaling modbus_delete_signal motion_version_set
path_offset_set_alpha_filter pause_on_error_code position_deviation_warning set_conveyor_tick_count set_pos
set_runstate_outputs set_runstate_standard_digital_outputs set_safety_mode_transition_hardness torque_command
direct_torque
""".split(), 1),  # noqa: SIM905
    **dict.fromkeys("""
encoder_set_tick_count modbus_set_digital_input_action modbus_set_output_register modbus_set_output_signal
modbus_set_runstate_dependent_choice modbus_set_signal_update_frequency path_offset_set path_offset_set_max_offset
rtde_set_watchdog screw_driving set_analog_inputrange set_analog_outputdomain set_configurable_digital_input_action
set_euromap_output set_gp_boolean_input_action set_runstate_configurable_digital_output_to_value
set_runstate_gp_boolean_output_to_value set_runstate_standard_analog_output_to_value
set_runstate_standard_digital_output_to_value set_runstate_tool_digital_output_to_value
set_standard_analog_input_domain set_standard_digital_input_action set_tool_analog_input_domain
set_tool_digital_input_action set_tool_digital_output_mode socket_set_var track_conveyor_circular
track_conveyor_linear write_output_boolean_register write_output_float_register write_output_integer_register
write_port_bit write_port_register
""".split(), 2),  # noqa: SIM905
    "modbus_send_custom_command": 4, "modbus_add_signal": 5, "force_mode": 5, "set_tool_communication": 6,
}  # fmt: skip
NOT_RUN = {
    "force_mode": "force control is read, not run: the moves inside of it are planned as they are written",
    "freedrive_mode": "a hand leads the arm: that is not in the program",
    "teach_mode": "a hand leads the arm: that is not in the program",
    "torque_command": "where torque control leads is not in the program",
    "direct_torque": "where torque control leads is not in the program",
    "screw_driving": "screw driving is read, not run",
    "track_conveyor_linear": "conveyor tracking is read, not run",
    "track_conveyor_circular": "conveyor tracking is read, not run",
    "freedrive_mode_no_incorrect_payload_check": "a hand leads the arm: that is not in the program",
}
LEADING = ("torque_command", "direct_torque")
FORMS = {
    **{word: Form("event" if word in ("popup", "textmsg") else "passed_over", ("any",),
                  LEAST.get(word, int(word.startswith(SAYING))), repeat=True) for word in TOLD},
    **{word: Form("streamed_off" if word in LEADING else "passed_over", ("any",), LEAST.get(word, 0), repeat=True)
       for word in NOT_RUN},
    "force_mode": Form("passed_over", ("any", "six", "six", "any", "six"), LEAST["force_mode"], repeat=True),
    "set_gravity": Form("passed_over", ("three",), 1, repeat=True),
    **{word: form for word, (form, _) in _ACTING.items()},
    "join": Form("passed_over", ("any",), 0),
}  # fmt: skip
SAID = NOT_RUN
