MODULE Pallet
  ! A small palletising cell, written for these tests.
  CONST robtarget pHome := [[450,0,500],[0,0.7071068,0,0.7071068],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]];
  CONST robtarget pPick := [[420,-180,320],[0,0.7071068,0,0.7071068],[-1,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]];
  CONST robtarget pFirst := [[0,0,0],[1,0,0,0],[0,0,0,0],[9E9,9E9,9E9,9E9,9E9,9E9]];
  CONST jointtarget jRest := [[0,0,0,0,30,0],[9E9,9E9,9E9,9E9,9E9,9E9]];
  PERS tooldata tGrip := [TRUE,[[0,0,100],[1,0,0,0]],[1.5,[0,0,40],[1,0,0,0],0.002,0.002,0.001]];
  PERS wobjdata wTray := [FALSE,TRUE,"",[[400,150,300],[0,0.7071068,0,0.7071068]],[[0,0,20],[1,0,0,0]]];
  PERS loaddata lPart := [2,[0,0,30],[1,0,0,0],0,0,0];
  VAR num nDone := 0;
  VAR robtarget pPlace;
  VAR num nRow{2,2} := [[0,30],[60,90]];

  PROC main()
    ConfJ\Off;
    ConfL\Off;
    AccSet 80,80;
    MoveAbsJ jRest, v500, fine, tGrip;
    WHILE nDone < 2 DO
      Fetch pPick;
      pPlace := Offs(pFirst, nRow{nDone + 1, 2}, 0, 0);
      pPlace.trans.y := 10 * nDone;
      Drop pPlace \slow;
      Incr nDone;
    ENDWHILE
    MoveJ pHome, vmax, z50, tGrip\WObj:=wobj0;
    MoveL RelTool(pHome,0,0,-20\Rz:=15), v200\V:=150, fine\Inpos:=inpos50, tGrip;
  ERROR
    TRYNEXT;
  ENDPROC

  PROC Fetch(robtarget p)
    MoveJ Offs(p,0,0,60), v1000, z20, tGrip;
    MoveL p, v150, fine, tGrip;
    WaitDI diHeld, 1 \MaxTime:=3;
    GripLoad lPart;
    MoveL Offs(p,0,0,60), v300, z10, tGrip;
  ENDPROC

  PROC Drop(robtarget p \switch slow)
    VAR speeddata v := [250,300,1000,1000];
    IF Present(slow) v.v_tcp := 100;
    MoveL p, v, fine, tGrip\WObj:=wTray;
    Reset doGrip;
    GripLoad load0;
    WaitTime 0.25;
  ENDPROC
ENDMODULE
