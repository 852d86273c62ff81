"""Words of RAPID as the controller and its manual write them, for hints: `MoveAbsJ`, whose key is moveabsj."""

from __future__ import annotations

_INSTRUCTIONS_AND_FUNCTIONS = """
Abs AbsDnum AccSet ACos ACosDnum ActEventBuffer ActivateProfile ActivateUnit ActUnit Add AInput AliasCamera AliasIO
AliasIOReset AOutput ArcC ArcC1 ArcC1End ArcC1Start ArcC2 ArcC2End ArcC2Start ArcCEnd ArcCStart ArcL ArcL1 ArcL1End
ArcL1Start ArcL2 ArcL2End ArcL2Start ArcLEnd ArcLStart ArcMoveAbsJ ArcMoveC ArcMoveExtJ ArcMoveJ ArcMoveL ArcRefresh
ArcRepl ArgName ASin ASinDnum ATan ATan2 ATan2Dnum ATanDnum BECheckTcp BERefPointer BESetupToolJ BEUpdateTcp BiasCalib
BitAnd BitAndDnum BitCheck BitCheckDnum BitClear BitLsh BitLshDnum BitNeg BitNegDnum BitOr BitOrDnum BitRsh BitRshDnum
BitSet BitXor BitXorDnum BlockCheck BookErrNo BrakeCheck Break ByteToStr CalcJointT CalcRobT CalibJ CalibL CallByVar
CamFlush CamGetExposure CamGetLoadedJob CamGetName CamGetParameter CamGetResult CamLoadJob CamNumberOfResults
CamReqImage CamSetExposure CamSetParameter CamSetProgramMode CamSetRunMode CamStartLoadJob CamWaitLoadJob CancelLoad
CapAptrSetup CapC CapL CapLatrSetup CapRefresh CapSetStopMode CDate CheckProgRef CirPathMode CJointT Clear ClearIOBuff
ClearPath ClearRawBytes ClearRetry ClkRead ClkReset ClkStart ClkStop Close CloseDir CloseHighLift CnvClearPos
CnvGenInstr CnvSync CollMon ConfJ ConfL ConsoleWrite ContactL CopyFile CopyRawBytes CornerPathWarning CorrClear
CorrCon CorrDiscon CorrWrite Cos CosDnum CPos CRobT CrossProd CSpeedOverride CSSAct CSSDeact CSSDeactMoveL
CSSForceOffsetAct CSSForceOffsetDeact CSSOffsetTune CTime CTool CWObj CyclicBool CyclicBrakeCheck DeactEventBuffer
DeactivateUnit DeactProfile DeactUnit Decr DefDFrame DefFrame Dim DInput DispC DispL Distance DitherAct DitherDeact
DnumToNum DnumToStr DotProd DOutput DropSensor DropWObj EGMActJoint EGMActMove EGMActPose EGMGetId EGMGetState
EGMMoveC EGMMoveL EGMReset EGMRunJoint EGMRunPose EGMSetupAI EGMSetupAO EGMSetupGI EGMSetupLTAPP EGMSetupUC EGMStop
EGMStreamStart EGMStreamStop EOffsOff EOffsOn EOffsSet EraseModule ErrLog ErrRaise ErrReset ErrWrite EulerZYX
EventType ExecHandler ExecLevel ExitCycle ExitStop Exp FCAct FCCalib FCCondForce FCCondOrient FCCondPos
FCCondReoriSpeed FCCondTCPSpeed FCCondTorque FCCondWaitWhile FCDeact FCIsForceMode FCPress1LStart FCPressC FCPressEnd
FCPressL FCRefCircle FCRefForce FCRefLine FCRefMoveFrame FCRefRot FCRefSpiral FCRefStart FCRefStop FCRefTorque
FCSpdChgAct FCSpdChgDeact FCSupvForce FCSupvOrient FCSupvPos FCSupvReoriSpeed FCSupvTCPSpeed FCSupvTorque FileSize
FileTime FitCircle FitSphere ForceAct FricIdEvaluate FricIdInit FricIdSetFricLevels G_BlowOff1 G_BlowOn1 G_Calibrate
G_GripIn G_GripOut G_Init G_JogIn G_JogOut G_MoveTo G_MoveToo G_SetForce G_SetMaxSpd G_Stop G_VacuumOff1 G_VacuumOn1
GetDataVal GetGroupSignalInfo GetJointData GetMecUnitName GetMotorTorque GetNextSym GetServiceInfo GetSysData
GetSysInfo GetTaskName GetTime GetTorqueMargin GetTrapData GetUASUserName GInput GInputDnum GOutput GOutputDnum
GripLoad HollowWristReset HotEdgeFact ICap IDelete IDisable IEnable IError IgnoreMoveStart Incr IndAMove IndCMove
IndCnvAddObject IndCnvDisable IndCnvEnable IndCnvInit IndCnvReset IndDMove IndGunMove IndGunMoveReset IndInPos
IndReset IndRMove InitSuperv InvertDO IOBusStart IOBusState IODisable IOEnable IPathPos IPers IpsSetParam IRMQMessage
IsBrakeCheckActive IsFile ISignalAI ISignalAO ISignalDI ISignalDO ISignalGI ISignalGO IsLeadthrough ISleep
IsMechUnitActive IsPers IsStopMoveAct IsStopStateEvent IsSyncMoveOn IsSysId IsVar ITimer IVarValue IWatch Load LoadId
LoadProfile LogMsg MakeDir ManLoad ManLoadId ManLoadIdProc MatrixSolve MatrixSolveQR MatrixSVD Max MaxExtLinearSpeed
MaxExtReorientSpeed MaxRobReorientSpeed MaxRobSpeed MeasureWearL MechUnitLoad Min ModExist ModTime MotionPlannerNo
MotionProcessModeSet MotionSup MoveAbsJ MoveC MoveCAO MoveCDO MoveCGO MoveCSync MoveExtJ MoveJ MoveJAO MoveJDO MoveJGO
MoveJSync MoveL MoveLAO MoveLDO MoveLGO MoveLSync MovePnP MovExtJ MPLoadPath MPReadInPath MPSavePath MToolRotCalib
MToolTCPCalib NonMotionMode NOrient NumToDnum NumToStr NutJ NutL Offs Open OpenDir OpenHighLift OpMode OrientZYX ORobT
PackDNHeader PackRawBytes PaintC PaintL ParLoadId PathAccLim PathLengthGet PathLengthReset PathLengthStart
PathLengthStop PathLevel PathRecMoveBwd PathRecMoveFwd PathRecStart PathRecStop PathResol PDispAdd PDispOff PDispOn
PDispSet PoseInv PoseMult PoseVect Pow PowDnum Present ProcCall ProcErrRecovery PulseDO RaiseToUser RawBytesLen
ReadAnyBin ReadBin ReadBlock ReadCfgData ReadDir ReadErrData ReadMotor ReadNum ReadRawBytes ReadStr ReadStrBin
ReadVarArr RecalcTcp Reconnect RecordProfile RecoveryMenu RecoveryMenuWR RecoveryPosReset RecoveryPosSet RelTool
RemainingRetries RemoveAllCyclicBool RemoveCyclicBool RemoveDir RemoveFile RemoveSuperv RenameFile Reset
ResetAxisDistance ResetAxisMoveTime ResetPPMoved ResetRetryCount ResetTorqueMargin RestoPath Rewind RMQEmptyQueue
RMQFindSlot RMQGetMessage RMQGetMsgData RMQGetMsgHeader RMQGetSlotName RMQReadWait RMQSendMessage RMQSendWait RobName
RobOS Round RoundDnum RunMode SafetyControllerSyncRequest Save SaveCfgData SaveExit ScWrite SearchC SearchExtJ SearchL
SenDevice SensorDevice ServoOpen Set SetAllData SetAllDataVal SetAO SetBrush SetBrushFac SetDataSearch SetDataVal
SetDO SetGO SetLeadthrough SetSysData SetTMSignal SetupCyclicBool SetupSuperv SetWRProcName SIClose SIConnect
SIGetCyclic Sin SinDnum SingArea SISetCyclic SkipWarn SMoveJ SMoveJDO SMoveJGO SMoveJSync SMoveL SMoveLDO SMoveLGO
SMoveLSync SocketAccept SocketBind SocketClose SocketConnect SocketCreate SocketGetStatus SocketListen SocketPeek
SocketReceive SocketReceiveFrom SocketSend SocketSendTo SoftAct SoftDeact SoftElbow SpeedLimAxis SpeedLimCheckPoint
SpeedRefresh SpotJ SpotL SpotMJ SpotML SpyCuStart SpyStart SpyStop Sqrt SqrtDnum SSearchL StartLoad StartMove
StartMoveRetry STCalib STClose StepBwdPath STIndGun STIndGunReset SToolRotCalib SToolTCPCalib Stop STOpen StopMove
StopMoveReset StorePath StoreProfile StrFind StrFormat STriggJ STriggL StrLen StrMap StrMatch StrMemb StrOrder StrPart
StrToByte StrToVal STTune STTuneReset SupSyncSensorOff SupSyncSensorOn SyncMoveOff SyncMoveOn SyncMoveResume
SyncMoveSuspend SyncMoveUndo SyncToSensor SyncWWObj SysFail SysMet SysStopAction SystemStopAction Tan TanDnum
TaskIsActive TaskIsExecuting TaskRunMec TaskRunRob TasksInSync TCCloseCover TCDropOffTool TCLockTool TCOpenCover
TCPickUpTool TCUnlockTool TestAndSet TestDI TestSignDefine TestSignRead TestSignReset TextGet TextTabInstall
TimerStart TPErase TPPrompt TPReadDnum TPReadFK TPReadNum TPShow TPWrite TraceRec TriggAbsJ TriggC TriggCheckIO
TriggData TriggDataCopy TriggDataReset TriggDataValid TriggEquip TriggInt TriggIO TriggJ TriggJIOs TriggL TriggLIOs
TriggRampAO TriggRampPos TriggSpeed TriggStopProc Trunc TruncDnum TryInt TuneReset TuneServo Type UIAlphaEntry
UIClientExist UIDnumEntry UIDnumTune UIListView UIMessageBox UIMsgBox UIMsgWrite UIMsgWriteAbort UINumEntry UINumTune
UIShow Unload UnpackRawBytes UseAccProfile ValidIO ValToStr VectMagn VelDSet VelSet VisionStart WaitAI WaitAndRecProf
WaitAO WaitDI WaitDO WaitGI WaitGO WaitLoad WaitRob WaitSensor WaitSyncTask WaitTestAndSet WaitTime WaitUntil WaitWObj
WarmStart WorldAccLim Write WriteAnyBin WriteBin WriteBlock WriteCfgData WriteRawBytes WriteStrBin WriteVar
WriteVarArr WzBoxDef WzCylDef WzDisable WzDOSet WzEnable WzFree WzHomeJointDef WzLimJointDef WzLimSup WzSphDef
"""
_DATA = """
TRUE FALSE HIGH LOW EDGE btnNone btnOK btnAbrtRtryIgn btnOKCancel btnRetryCancel btnYesNo btnYesNoCancel resUnkwn
resOK resAbort resRetry resIgnore resCancel resYes resNo iconNone iconInfo iconWarning iconError LT LTEQ EQ NOTEQ GTEQ
GT USINT UINT UDINT ULINT SINT INT DINT LINT TYPE_STATE TYPE_WARN TYPE_ERR TYPE_ALL SINGLE STR_DIGIT STR_UPPER
STR_LOWER STR_WHITE WAIT_MAX EOF EOF_BIN EOF_NUM OP_AUTO OP_MAN_PROG OP_MAN_TEST SOCKET_CREATED SOCKET_CONNECTED
SOCKET_BOUND SOCKET_LISTENING SOCKET_CLOSED ERRNO INTNO
"""
SPELLED = {word.lower(): word for word in (_INSTRUCTIONS_AND_FUNCTIONS + _DATA).split()}
