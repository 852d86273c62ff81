%%%
  VERSION:1
  LANGUAGE:ENGLISH
%%%

MODULE MainModule(SYSMODULE, NOSTEPIN)
	VAR confdata conf := [0,0,0,0];
	VAR syncident sync1;
	TASK PERS tasks all_tasks{2} := [["T_ROB1"], ["T_ROB2"]];
	TASK PERS speeddata Speed000:=[100.00,180.00,5000.00,1080.00];
    PERS string stJob:="";
    LOCAL VAR intnum int1;
    VAR clock clock1;
    CONST num nArr{2,3}:=[[1,2,3],[4,5,6]];
    VAR bool bFlag:=FALSE;
    VAR errnum err1 := -1;
    VAR iodev logfile;
    CONST string sMsg := "say ""hi"" !not comment";
    VAR triggdata trig1;
    PERS pos pOff := [0,0,0];
    VAR num x;
    PROC main()
        VAR num i;
        CONNECT int1 WITH trap1;
        ISignalDI\Single, di1, 1, int1;
        IDelete int1;
        ClkReset clock1;
        TriggEquip trig1, 10, 0.1 \DOp:=do1, 1;
        %stJob %;
        IF bFlag=FALSE rLock;
        IF (bFlag=FALSE) THEN rLock; ENDIF
        MoveAbsJ [[82.467,-17.016,48.414,85.948,96.306,-31.779],[3399.99,9E9,9E9,9E9,9E9,9E9]]\ID:=0,Speed000,fine,tool0;
        MoveJ [[613.91,2326.15,1040.68],[0.5000,0.5000,0.5000,0.5000],[0,0,-2,0],[3079.80,9E9,9E9,9E9,9E9,9E9]]\ID:=1,Speed000,fine,tool0 \WObj:=wobj0;
        MoveL Offs(CRobT(\Tool:=tool0 \WObj:=wobj0),0,0,100),v100,z50,tool0;
        TPWrite "Num is "\Num:=nArr{1,2};
        TPReadFK reg1, "Question?", "A", stEmpty, stEmpty, "B", "C";
        reg2 := UIMessageBox(\Header:="x" \MsgArray:=["a","b"] \BtnArray:=["OK","No"] \Icon:=iconInfo);
        WaitDI di1, 1\MaxTime:=5\TimeFlag:=bFlag;
        WaitUntil di1=1 AND di2=0 \MaxTime:=3;
        x := nArr{1,2} DIV 2 + nArr{2,3} MOD 4 * -2;
        bFlag := NOT di1 = 1 OR x >= 2 AND TRUE;
        FOR i FROM 1 TO Dim(nArr,1) DO
           Add x, i;
        ENDFOR
        Open "HOME:" \File:= "log.txt", logfile \Append;
        Write logfile, "x="\Num:=x;
        SocketSend socket1 \Str:="abc" + NumToStr(x,2) + ByteToStr(10\Char);
        ErrWrite \W, "a", "b" \RL2:="c";
        Break;
        lbl1:
        GOTO lbl1;
        RETURN ;
        EXIT;
    UNDO
        Reset do1;
    ERROR (ERR_WAIT_MAXTIME, 50)
        IF ERRNO = ERR_WAIT_MAXTIME THEN
            TRYNEXT;
        ELSEIF ERRNO=err1 THEN
            RAISE;
        ENDIF
        RETRY;
    ENDPROC
    TRAP trap1
        TPWrite "trap";
        RETURN;
    ENDTRAP
    LOCAL FUNC bool isOk(VAR num a, INOUT bool b{*}, \num opt | switch on, \string s, PERS tooldata t)
        IF Present(opt) AND (a > opt) RETURN TRUE;
        TEST a
        CASE -1, 2: RETURN FALSE;
        CASE 3:
        DEFAULT:
        ENDTEST
        RETURN a=1;
    BACKWARD
      ! x
    ENDFUNC
    PROC r1(\switch Open|switch Close,num n)
        WHILE TRUE DO
        ENDWHILE
        SetDO\SDelay:=0.2, do1, 1;
        PulseDO\High\PLength:=0.5,do2;
        Stop\NoRegain;
        MoveJ\Conc, p1, v1000\T:=5, z50\Inpos:=inpos50, tool1\WObj:=wobj1;
        SearchL\SStop, di1\Flanks, p1, p2, v100, tool1;
        ActUnit STN1; DeactUnit STN1;
        EOffsSet [0,0,0,0,0,0];
        SoftAct 3, 20\Ramp:=150;
        WHILE ClkRead(clock1)<5 AND bFlag=FALSE DO WaitTime 0.1; ENDWHILE
    ENDPROC
ENDMODULE
