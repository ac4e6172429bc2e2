// The named character references of the HTML Standard (13.5). Written by tools/make_entities.py: change that, not this.
#include "caddis/html/entity_table.h"

// clang-format off
namespace caddis::html {

const char kEntityNames[] =
    "AEligAMPAacuteAbreveAcircAcyAfrAgraveAlphaAmacrAndAogonAopfApplyFunctionAringAscrAssignAtildeAumlBackslashBarv"
    "BarwedBcyBecauseBernoullisBetaBfrBopfBreveBscrBumpeqCHcyCOPYCacuteCapCapitalDifferentialDCayleysCcaronCcedilCc"
    "ircCconintCdotCedillaCenterDotCfrChiCircleDotCircleMinusCirclePlusCircleTimesClockwiseContourIntegralCloseCurl"
    "yDoubleQuoteCloseCurlyQuoteColonColoneCongruentConintContourIntegralCopfCoproductCounterClockwiseContourIntegr"
    "alCrossCscrCupCupCapDDDDotrahdDJcyDScyDZcyDaggerDarrDashvDcaronDcyDelDeltaDfrDiacriticalAcuteDiacriticalDotDia"
    "criticalDoubleAcuteDiacriticalGraveDiacriticalTildeDiamondDifferentialDDopfDotDotDotDotEqualDoubleContourInteg"
    "ralDoubleDotDoubleDownArrowDoubleLeftArrowDoubleLeftRightArrowDoubleLeftTeeDoubleLongLeftArrowDoubleLongLeftRi"
    "ghtArrowDoubleLongRightArrowDoubleRightArrowDoubleRightTeeDoubleUpArrowDoubleUpDownArrowDoubleVerticalBarDownA"
    "rrowDownArrowBarDownArrowUpArrowDownBreveDownLeftRightVectorDownLeftTeeVectorDownLeftVectorDownLeftVectorBarDo"
    "wnRightTeeVectorDownRightVectorDownRightVectorBarDownTeeDownTeeArrowDownarrowDscrDstrokENGETHEacuteEcaronEcirc"
    "EcyEdotEfrEgraveElementEmacrEmptySmallSquareEmptyVerySmallSquareEogonEopfEpsilonEqualEqualTildeEquilibriumEscr"
    "EsimEtaEumlExistsExponentialEFcyFfrFilledSmallSquareFilledVerySmallSquareFopfForAllFouriertrfFscrGJcyGTGammaGa"
    "mmadGbreveGcedilGcircGcyGdotGfrGgGopfGreaterEqualGreaterEqualLessGreaterFullEqualGreaterGreaterGreaterLessGrea"
    "terSlantEqualGreaterTildeGscrGtHARDcyHacekHatHcircHfrHilbertSpaceHopfHorizontalLineHscrHstrokHumpDownHumpHumpE"
    "qualIEcyIJligIOcyIacuteIcircIcyIdotIfrIgraveImImacrImaginaryIImpliesIntIntegralIntersectionInvisibleCommaInvis"
    "ibleTimesIogonIopfIotaIscrItildeIukcyIumlJcircJcyJfrJopfJscrJsercyJukcyKHcyKJcyKappaKcedilKcyKfrKopfKscrLJcyLT"
    "LacuteLambdaLangLaplacetrfLarrLcaronLcedilLcyLeftAngleBracketLeftArrowLeftArrowBarLeftArrowRightArrowLeftCeili"
    "ngLeftDoubleBracketLeftDownTeeVectorLeftDownVectorLeftDownVectorBarLeftFloorLeftRightArrowLeftRightVectorLeftT"
    "eeLeftTeeArrowLeftTeeVectorLeftTriangleLeftTriangleBarLeftTriangleEqualLeftUpDownVectorLeftUpTeeVectorLeftUpVe"
    "ctorLeftUpVectorBarLeftVectorLeftVectorBarLeftarrowLeftrightarrowLessEqualGreaterLessFullEqualLessGreaterLessL"
    "essLessSlantEqualLessTildeLfrLlLleftarrowLmidotLongLeftArrowLongLeftRightArrowLongRightArrowLongleftarrowLongl"
    "eftrightarrowLongrightarrowLopfLowerLeftArrowLowerRightArrowLscrLshLstrokLtMapMcyMediumSpaceMellintrfMfrMinusP"
    "lusMopfMscrMuNJcyNacuteNcaronNcedilNcyNegativeMediumSpaceNegativeThickSpaceNegativeThinSpaceNegativeVeryThinSp"
    "aceNestedGreaterGreaterNestedLessLessNewLineNfrNoBreakNonBreakingSpaceNopfNotNotCongruentNotCupCapNotDoubleVer"
    "ticalBarNotElementNotEqualNotEqualTildeNotExistsNotGreaterNotGreaterEqualNotGreaterFullEqualNotGreaterGreaterN"
    "otGreaterLessNotGreaterSlantEqualNotGreaterTildeNotHumpDownHumpNotHumpEqualNotLeftTriangleNotLeftTriangleBarNo"
    "tLeftTriangleEqualNotLessNotLessEqualNotLessGreaterNotLessLessNotLessSlantEqualNotLessTildeNotNestedGreaterGre"
    "aterNotNestedLessLessNotPrecedesNotPrecedesEqualNotPrecedesSlantEqualNotReverseElementNotRightTriangleNotRight"
    "TriangleBarNotRightTriangleEqualNotSquareSubsetNotSquareSubsetEqualNotSquareSupersetNotSquareSupersetEqualNotS"
    "ubsetNotSubsetEqualNotSucceedsNotSucceedsEqualNotSucceedsSlantEqualNotSucceedsTildeNotSupersetNotSupersetEqual"
    "NotTildeNotTildeEqualNotTildeFullEqualNotTildeTildeNotVerticalBarNscrNtildeNuOEligOacuteOcircOcyOdblacOfrOgrav"
    "eOmacrOmegaOmicronOopfOpenCurlyDoubleQuoteOpenCurlyQuoteOrOscrOslashOtildeOtimesOumlOverBarOverBraceOverBracke"
    "tOverParenthesisPartialDPcyPfrPhiPiPlusMinusPoincareplanePopfPrPrecedesPrecedesEqualPrecedesSlantEqualPrecedes"
    "TildePrimeProductProportionProportionalPscrPsiQUOTQfrQopfQscrRBarrREGRacuteRangRarrRarrtlRcaronRcedilRcyReReve"
    "rseElementReverseEquilibriumReverseUpEquilibriumRfrRhoRightAngleBracketRightArrowRightArrowBarRightArrowLeftAr"
    "rowRightCeilingRightDoubleBracketRightDownTeeVectorRightDownVectorRightDownVectorBarRightFloorRightTeeRightTee"
    "ArrowRightTeeVectorRightTriangleRightTriangleBarRightTriangleEqualRightUpDownVectorRightUpTeeVectorRightUpVect"
    "orRightUpVectorBarRightVectorRightVectorBarRightarrowRopfRoundImpliesRrightarrowRscrRshRuleDelayedSHCHcySHcySO"
    "FTcySacuteScScaronScedilScircScySfrShortDownArrowShortLeftArrowShortRightArrowShortUpArrowSigmaSmallCircleSopf"
    "SqrtSquareSquareIntersectionSquareSubsetSquareSubsetEqualSquareSupersetSquareSupersetEqualSquareUnionSscrStarS"
    "ubSubsetSubsetEqualSucceedsSucceedsEqualSucceedsSlantEqualSucceedsTildeSuchThatSumSupSupersetSupersetEqualSups"
    "etTHORNTRADETSHcyTScyTabTauTcaronTcedilTcyTfrThereforeThetaThickSpaceThinSpaceTildeTildeEqualTildeFullEqualTil"
    "deTildeTopfTripleDotTscrTstrokUacuteUarrUarrocirUbrcyUbreveUcircUcyUdblacUfrUgraveUmacrUnderBarUnderBraceUnder"
    "BracketUnderParenthesisUnionUnionPlusUogonUopfUpArrowUpArrowBarUpArrowDownArrowUpDownArrowUpEquilibriumUpTeeUp"
    "TeeArrowUparrowUpdownarrowUpperLeftArrowUpperRightArrowUpsiUpsilonUringUscrUtildeUumlVDashVbarVcyVdashVdashlVe"
    "eVerbarVertVerticalBarVerticalLineVerticalSeparatorVerticalTildeVeryThinSpaceVfrVopfVscrVvdashWcircWedgeWfrWop"
    "fWscrXfrXiXopfXscrYAcyYIcyYUcyYacuteYcircYcyYfrYopfYscrYumlZHcyZacuteZcaronZcyZdotZeroWidthSpaceZetaZfrZopfZsc"
    "raacuteabreveacacEacdacircacuteacyaeligafafragravealefsymalephalphaamacramalgampandandandanddandslopeandvangan"
    "geangleangmsdangmsdaaangmsdabangmsdacangmsdadangmsdaeangmsdafangmsdagangmsdahangrtangrtvbangrtvbdangsphangstan"
    "gzarraogonaopfapapEapacirapeapidaposapproxapproxeqaringascrastasympasympeqatildeaumlawconintawintbNotbackcongb"
    "ackepsilonbackprimebacksimbacksimeqbarveebarwedbarwedgebbrkbbrktbrkbcongbcybdquobecausbecausebemptyvbepsiberno"
    "ubetabethbetweenbfrbigcapbigcircbigcupbigodotbigoplusbigotimesbigsqcupbigstarbigtriangledownbigtriangleupbigup"
    "lusbigveebigwedgebkarowblacklozengeblacksquareblacktriangleblacktriangledownblacktriangleleftblacktrianglerigh"
    "tblankblk12blk14blk34blockbnebnequivbnotbopfbotbottombowtieboxDLboxDRboxDlboxDrboxHboxHDboxHUboxHdboxHuboxULbo"
    "xURboxUlboxUrboxVboxVHboxVLboxVRboxVhboxVlboxVrboxboxboxdLboxdRboxdlboxdrboxhboxhDboxhUboxhdboxhuboxminusboxpl"
    "usboxtimesboxuLboxuRboxulboxurboxvboxvHboxvLboxvRboxvhboxvlboxvrbprimebrevebrvbarbscrbsemibsimbsimebsolbsolbbs"
    "olhsubbullbulletbumpbumpEbumpebumpeqcacutecapcapandcapbrcupcapcapcapcupcapdotcapscaretcaronccapsccaronccedilcc"
    "ircccupsccupssmcdotcedilcemptyvcentcenterdotcfrchcycheckcheckmarkchicircirEcirccirceqcirclearrowleftcirclearro"
    "wrightcircledRcircledScircledastcircledcirccircleddashcirecirfnintcirmidcirscirclubsclubsuitcoloncolonecoloneq"
    "commacommatcompcompfncomplementcomplexescongcongdotconintcopfcoprodcopycopysrcrarrcrosscscrcsubcsubecsupcsupec"
    "tdotcudarrlcudarrrcueprcuesccularrcularrpcupcupbrcapcupcapcupcupcupdotcuporcupscurarrcurarrmcurlyeqpreccurlyeq"
    "succcurlyveecurlywedgecurrencurvearrowleftcurvearrowrightcuveecuwedcwconintcwintcylctydArrdHardaggerdalethdarr"
    "dashdashvdbkarowdblacdcarondcyddddaggerddarrddotseqdegdeltademptyvdfishtdfrdharldharrdiamdiamonddiamondsuitdia"
    "msdiedigammadisindivdividedivideontimesdivonxdjcydlcorndlcropdollardopfdotdoteqdoteqdotdotminusdotplusdotsquar"
    "edoublebarwedgedownarrowdowndownarrowsdownharpoonleftdownharpoonrightdrbkarowdrcorndrcropdscrdscydsoldstrokdtd"
    "otdtridtrifduarrduhardwangledzcydzigrarreDDoteDoteacuteeasterecaronecirecircecolonecyedoteeefDotefregegraveegs"
    "egsdotelelintersellelselsdotemacremptyemptysetemptyvemspemsp13emsp14engenspeogoneopfepareparsleplusepsiepsilon"
    "epsiveqcirceqcoloneqsimeqslantgtreqslantlessequalsequestequivequivDDeqvparslerDoterarrescresdotesimetaetheumle"
    "uroexclexistexpectationexponentialefallingdotseqfcyfemaleffiligffligfflligffrfiligfjligflatflligfltnsfnoffopff"
    "orallforkforkvfpartintfrac12frac13frac14frac15frac16frac18frac23frac25frac34frac35frac38frac45frac56frac58frac"
    "78fraslfrownfscrgEgElgacutegammagammadgapgbrevegcircgcygdotgegelgeqgeqqgeqslantgesgesccgesdotgesdotogesdotolge"
    "slgeslesgfrggggggimelgjcyglglEglagljgnEgnapgnapproxgnegneqgneqqgnsimgopfgravegscrgsimgsimegsimlgtgtccgtcirgtdo"
    "tgtlPargtquestgtrapproxgtrarrgtrdotgtreqlessgtreqqlessgtrlessgtrsimgvertneqqgvnEhArrhairsphalfhamilthardcyharr"
    "harrcirharrwhbarhcircheartsheartsuithellipherconhfrhksearowhkswarowhoarrhomththookleftarrowhookrightarrowhopfh"
    "orbarhscrhslashhstrokhybullhypheniacuteicicircicyiecyiexcliffifrigraveiiiiiintiiintiinfiniiotaijligimacrimagei"
    "maglineimagpartimathimofimpedinincareinfininfintieinodotintintcalintegersintercalintlarhkintprodiocyiogoniopfi"
    "otaiprodiquestiscrisinisinEisindotisinsisinsvisinvititildeiukcyiumljcircjcyjfrjmathjopfjscrjsercyjukcykappakap"
    "pavkcedilkcykfrkgreenkhcykjcykopfkscrlAarrlArrlAtaillBarrlElEglHarlacutelaemptyvlagranlambdalanglangdlanglelap"
    "laquolarrlarrblarrbfslarrfslarrhklarrlplarrpllarrsimlarrtllatlataillatelateslbarrlbbrklbracelbracklbrkelbrksld"
    "lbrkslulcaronlcedillceillcublcyldcaldquoldquorldrdharldrusharldshleleftarrowleftarrowtailleftharpoondownleftha"
    "rpoonupleftleftarrowsleftrightarrowleftrightarrowsleftrightharpoonsleftrightsquigarrowleftthreetimeslegleqleqq"
    "leqslantleslescclesdotlesdotolesdotorlesglesgeslessapproxlessdotlesseqgtrlesseqqgtrlessgtrlesssimlfishtlfloorl"
    "frlglgElhardlharulharullhblkljcyllllarrllcornerllhardlltrilmidotlmoustlmoustachelnElnaplnapproxlnelneqlneqqlns"
    "imloangloarrlobrklongleftarrowlongleftrightarrowlongmapstolongrightarrowlooparrowleftlooparrowrightloparlopflo"
    "pluslotimeslowastlowbarlozlozengelozflparlparltlrarrlrcornerlrharlrhardlrmlrtrilsaquolscrlshlsimlsimelsimglsqb"
    "lsquolsquorlstrokltltccltcirltdotlthreeltimesltlarrltquestltrParltriltrieltriflurdsharluruharlvertneqqlvnEmDDo"
    "tmacrmalemaltmaltesemapmapstomapstodownmapstoleftmapstoupmarkermcommamcymdashmeasuredanglemfrmhomicromidmidast"
    "midcirmiddotminusminusbminusdminusdumlcpmldrmnplusmodelsmopfmpmscrmstposmumultimapmumapnGgnGtnGtvnLeftarrownLe"
    "ftrightarrownLlnLtnLtvnRightarrownVDashnVdashnablanacutenangnapnapEnapidnaposnapproxnaturnaturalnaturalsnbspnb"
    "umpnbumpencapncaronncedilncongncongdotncupncyndashneneArrnearhknearrnearrownedotnequivnesearnesimnexistnexists"
    "nfrngEngengeqngeqqngeqslantngesngsimngtngtrnhArrnharrnhparninisnisdnivnjcynlArrnlEnlarrnldrnlenleftarrownleftr"
    "ightarrownleqnleqqnleqslantnlesnlessnlsimnltnltrinltrienmidnopfnotnotinnotinEnotindotnotinvanotinvbnotinvcnotn"
    "inotnivanotnivbnotnivcnparnparallelnparslnpartnpolintnprnprcuenprenprecnpreceqnrArrnrarrnrarrcnrarrwnrightarro"
    "wnrtrinrtrienscnsccuenscenscrnshortmidnshortparallelnsimnsimensimeqnsmidnsparnsqsubensqsupensubnsubEnsubensubs"
    "etnsubseteqnsubseteqqnsuccnsucceqnsupnsupEnsupensupsetnsupseteqnsupseteqqntglntildentlgntriangleleftntrianglel"
    "efteqntrianglerightntrianglerighteqnunumnumeronumspnvDashnvHarrnvapnvdashnvgenvgtnvinfinnvlArrnvlenvltnvltrien"
    "vrArrnvrtrienvsimnwArrnwarhknwarrnwarrownwnearoSoacuteoastocirocircocyodashodblacodivodotodsoldoeligofcirofrog"
    "onograveogtohbarohmointolarrolcirolcrossolineoltomacromegaomicronomidominusoopfoparoperpoplusororarrordorderor"
    "derofordfordmorigoforororslopeorvoscroslashosolotildeotimesotimesasoumlovbarparparaparallelparsimparslpartpcyp"
    "ercntperiodpermilperppertenkpfrphiphivphmmatphonepipitchforkpivplanckplanckhplankvplusplusacirplusbpluscirplus"
    "doplusdupluseplusmnplussimplustwopmpointintpopfpoundprprEprapprcuepreprecprecapproxpreccurlyeqpreceqprecnappro"
    "xprecneqqprecnsimprecsimprimeprimesprnEprnapprnsimprodprofalarproflineprofsurfpropproptoprsimprurelpscrpsipunc"
    "spqfrqintqopfqprimeqscrquaternionsquatintquestquesteqquotrAarrrArrrAtailrBarrrHarraceracuteradicraemptyvrangra"
    "ngdrangerangleraquorarrrarraprarrbrarrbfsrarrcrarrfsrarrhkrarrlprarrplrarrsimrarrtlrarrwratailratiorationalsrb"
    "arrrbbrkrbracerbrackrbrkerbrksldrbrkslurcaronrcedilrceilrcubrcyrdcardldharrdquordquorrdshrealrealinerealpartre"
    "alsrectregrfishtrfloorrfrrhardrharurharulrhorhovrightarrowrightarrowtailrightharpoondownrightharpoonuprightlef"
    "tarrowsrightleftharpoonsrightrightarrowsrightsquigarrowrightthreetimesringrisingdotseqrlarrrlharrlmrmoustrmous"
    "tachernmidroangroarrrobrkroparropfroplusrotimesrparrpargtrppolintrrarrrsaquorscrrshrsqbrsquorsquorrthreertimes"
    "rtrirtriertrifrtriltriruluharrxsacutesbquoscscEscapscaronsccuescescedilscircscnEscnapscnsimscpolintscsimscysdo"
    "tsdotbsdoteseArrsearhksearrsearrowsectsemiseswarsetminussetmnsextsfrsfrownsharpshchcyshcyshortmidshortparallel"
    "shysigmasigmafsigmavsimsimdotsimesimeqsimgsimgEsimlsimlEsimnesimplussimrarrslarrsmallsetminussmashpsmeparslsmi"
    "dsmilesmtsmtesmtessoftcysolsolbsolbarsopfspadesspadesuitsparsqcapsqcapssqcupsqcupssqsubsqsubesqsubsetsqsubsete"
    "qsqsupsqsupesqsupsetsqsupseteqsqusquaresquarfsqufsrarrsscrssetmnssmilesstarfstarstarfstraightepsilonstraightph"
    "istrnssubsubEsubdotsubesubedotsubmultsubnEsubnesubplussubrarrsubsetsubseteqsubseteqqsubsetneqsubsetneqqsubsims"
    "ubsubsubsupsuccsuccapproxsucccurlyeqsucceqsuccnapproxsuccneqqsuccnsimsuccsimsumsungsupsup1sup2sup3supEsupdotsu"
    "pdsubsupesupedotsuphsolsuphsubsuplarrsupmultsupnEsupnesupplussupsetsupseteqsupseteqqsupsetneqsupsetneqqsupsims"
    "upsubsupsupswArrswarhkswarrswarrowswnwarszligtargettautbrktcarontcediltcytdottelrectfrthere4thereforethetathet"
    "asymthetavthickapproxthicksimthinspthkapthksimthorntildetimestimesbtimesbartimesdtinttoeatoptopbottopcirtopfto"
    "pforktosatprimetradetriangletriangledowntrianglelefttrianglelefteqtriangleqtrianglerighttrianglerighteqtridott"
    "rietriminustriplustrisbtritimetrpeziumtscrtscytshcytstroktwixttwoheadleftarrowtwoheadrightarrowuArruHaruacuteu"
    "arrubrcyubreveucircucyudarrudblacudharufishtufrugraveuharluharruhblkulcornulcornerulcropultriumacrumluogonuopf"
    "uparrowupdownarrowupharpoonleftupharpoonrightuplusupsiupsihupsilonupuparrowsurcornurcornerurcropuringurtriuscr"
    "utdotutildeutriutrifuuarruumluwanglevArrvBarvBarvvDashvangrtvarepsilonvarkappavarnothingvarphivarpivarproptova"
    "rrvarrhovarsigmavarsubsetneqvarsubsetneqqvarsupsetneqvarsupsetneqqvarthetavartriangleleftvartrianglerightvcyvd"
    "ashveeveebarveeeqvellipverbarvertvfrvltrivnsubvnsupvopfvpropvrtrivscrvsubnEvsubnevsupnEvsupnevzigzagwcircwedba"
    "rwedgewedgeqweierpwfrwopfwpwrwreathwscrxcapxcircxcupxdtrixfrxhArrxharrxixlArrxlarrxmapxnisxodotxopfxoplusxotim"
    "exrArrxrarrxscrxsqcupxuplusxutrixveexwedgeyacuteyacyycircycyyenyfryicyyopfyscryucyyumlzacutezcaronzcyzdotzeetr"
    "fzetazfrzhcyzigrarrzopfzscrzwjzwnj";

const uint16_t kEntityEnds[kEntityCount] = {
    5, 8, 14, 20, 25, 28, 31, 37, 42, 47, 50, 55, 59, 72, 77, 81, 87, 93, 97, 106, 110, 116, 119, 126, 136, 140,
    143, 147, 152, 156, 162, 166, 170, 176, 179, 199, 206, 212, 218, 223, 230, 234, 241, 250, 253, 256, 265, 276,
    286, 297, 321, 342, 357, 362, 368, 377, 383, 398, 402, 411, 442, 447, 451, 454, 460, 462, 470, 474, 478, 482,
    488, 492, 497, 503, 506, 509, 514, 517, 533, 547, 569, 585, 601, 608, 621, 625, 628, 634, 642, 663, 672, 687,
    702, 722, 735, 754, 778, 798, 814, 828, 841, 858, 875, 884, 896, 912, 921, 940, 957, 971, 988, 1006, 1021, 1039,
    1046, 1058, 1067, 1071, 1077, 1080, 1083, 1089, 1095, 1100, 1103, 1107, 1110, 1116, 1123, 1128, 1144, 1164,
    1169, 1173, 1180, 1185, 1195, 1206, 1210, 1214, 1217, 1221, 1227, 1239, 1242, 1245, 1262, 1283, 1287, 1293,
    1303, 1307, 1311, 1313, 1318, 1324, 1330, 1336, 1341, 1344, 1348, 1351, 1353, 1357, 1369, 1385, 1401, 1415,
    1426, 1443, 1455, 1459, 1461, 1467, 1472, 1475, 1480, 1483, 1495, 1499, 1513, 1517, 1523, 1535, 1544, 1548,
    1553, 1557, 1563, 1568, 1571, 1575, 1578, 1584, 1586, 1591, 1601, 1608, 1611, 1619, 1631, 1645, 1659, 1664,
    1668, 1672, 1676, 1682, 1687, 1691, 1696, 1699, 1702, 1706, 1710, 1716, 1721, 1725, 1729, 1734, 1740, 1743,
    1746, 1750, 1754, 1758, 1760, 1766, 1772, 1776, 1786, 1790, 1796, 1802, 1805, 1821, 1830, 1842, 1861, 1872,
    1889, 1906, 1920, 1937, 1946, 1960, 1975, 1982, 1994, 2007, 2019, 2034, 2051, 2067, 2082, 2094, 2109, 2119,
    2132, 2141, 2155, 2171, 2184, 2195, 2203, 2217, 2226, 2229, 2231, 2241, 2247, 2260, 2278, 2292, 2305, 2323,
    2337, 2341, 2355, 2370, 2374, 2377, 2383, 2385, 2388, 2391, 2402, 2411, 2414, 2423, 2427, 2431, 2433, 2437,
    2443, 2449, 2455, 2458, 2477, 2495, 2512, 2533, 2553, 2567, 2574, 2577, 2584, 2600, 2604, 2607, 2619, 2628,
    2648, 2658, 2666, 2679, 2688, 2698, 2713, 2732, 2749, 2763, 2783, 2798, 2813, 2825, 2840, 2858, 2878, 2885,
    2897, 2911, 2922, 2939, 2951, 2974, 2991, 3002, 3018, 3039, 3056, 3072, 3091, 3112, 3127, 3147, 3164, 3186,
    3195, 3209, 3220, 3236, 3257, 3273, 3284, 3300, 3308, 3321, 3338, 3351, 3365, 3369, 3375, 3377, 3382, 3388,
    3393, 3396, 3402, 3405, 3411, 3416, 3421, 3428, 3432, 3452, 3466, 3468, 3472, 3478, 3484, 3490, 3494, 3501,
    3510, 3521, 3536, 3544, 3547, 3550, 3553, 3555, 3564, 3577, 3581, 3583, 3591, 3604, 3622, 3635, 3640, 3647,
    3657, 3669, 3673, 3676, 3680, 3683, 3687, 3691, 3696, 3699, 3705, 3709, 3713, 3719, 3725, 3731, 3734, 3736,
    3750, 3768, 3788, 3791, 3794, 3811, 3821, 3834, 3853, 3865, 3883, 3901, 3916, 3934, 3944, 3952, 3965, 3979,
    3992, 4008, 4026, 4043, 4059, 4072, 4088, 4099, 4113, 4123, 4127, 4139, 4150, 4154, 4157, 4168, 4174, 4178,
    4184, 4190, 4192, 4198, 4204, 4209, 4212, 4215, 4229, 4243, 4258, 4270, 4275, 4286, 4290, 4294, 4300, 4318,
    4330, 4347, 4361, 4380, 4391, 4395, 4399, 4402, 4408, 4419, 4427, 4440, 4458, 4471, 4479, 4482, 4485, 4493,
    4506, 4512, 4517, 4522, 4527, 4531, 4534, 4537, 4543, 4549, 4552, 4555, 4564, 4569, 4579, 4588, 4593, 4603,
    4617, 4627, 4631, 4640, 4644, 4650, 4656, 4660, 4668, 4673, 4679, 4684, 4687, 4693, 4696, 4702, 4707, 4715,
    4725, 4737, 4753, 4758, 4767, 4772, 4776, 4783, 4793, 4809, 4820, 4833, 4838, 4848, 4855, 4866, 4880, 4895,
    4899, 4906, 4911, 4915, 4921, 4925, 4930, 4934, 4937, 4942, 4948, 4951, 4957, 4961, 4972, 4984, 5001, 5014,
    5027, 5030, 5034, 5038, 5044, 5049, 5054, 5057, 5061, 5065, 5068, 5070, 5074, 5078, 5082, 5086, 5090, 5096,
    5101, 5104, 5107, 5111, 5115, 5119, 5123, 5129, 5135, 5138, 5142, 5156, 5160, 5163, 5167, 5171, 5177, 5183,
    5185, 5188, 5191, 5196, 5201, 5204, 5209, 5211, 5214, 5220, 5227, 5232, 5237, 5242, 5247, 5250, 5253, 5259,
    5263, 5271, 5275, 5278, 5282, 5287, 5293, 5301, 5309, 5317, 5325, 5333, 5341, 5349, 5357, 5362, 5369, 5377,
    5383, 5388, 5395, 5400, 5404, 5406, 5409, 5415, 5418, 5422, 5426, 5432, 5440, 5445, 5449, 5452, 5457, 5464,
    5470, 5474, 5482, 5487, 5491, 5499, 5510, 5519, 5526, 5535, 5541, 5547, 5555, 5559, 5567, 5572, 5575, 5580,
    5586, 5593, 5600, 5605, 5611, 5615, 5619, 5626, 5629, 5635, 5642, 5648, 5655, 5663, 5672, 5680, 5687, 5702,
    5715, 5723, 5729, 5737, 5743, 5755, 5766, 5779, 5796, 5813, 5831, 5836, 5841, 5846, 5851, 5856, 5859, 5866,
    5870, 5874, 5877, 5883, 5889, 5894, 5899, 5904, 5909, 5913, 5918, 5923, 5928, 5933, 5938, 5943, 5948, 5953,
    5957, 5962, 5967, 5972, 5977, 5982, 5987, 5993, 5998, 6003, 6008, 6013, 6017, 6022, 6027, 6032, 6037, 6045,
    6052, 6060, 6065, 6070, 6075, 6080, 6084, 6089, 6094, 6099, 6104, 6109, 6114, 6120, 6125, 6131, 6135, 6140,
    6144, 6149, 6153, 6158, 6166, 6170, 6176, 6180, 6185, 6190, 6196, 6202, 6205, 6211, 6219, 6225, 6231, 6237,
    6241, 6246, 6251, 6256, 6262, 6268, 6273, 6278, 6285, 6289, 6294, 6301, 6305, 6314, 6317, 6321, 6326, 6335,
    6338, 6341, 6345, 6349, 6355, 6370, 6386, 6394, 6402, 6412, 6423, 6434, 6438, 6446, 6452, 6459, 6464, 6472,
    6477, 6483, 6490, 6495, 6501, 6505, 6511, 6521, 6530, 6534, 6541, 6547, 6551, 6557, 6561, 6567, 6572, 6577,
    6581, 6585, 6590, 6594, 6599, 6604, 6611, 6618, 6623, 6628, 6634, 6641, 6644, 6652, 6658, 6664, 6670, 6675,
    6679, 6685, 6692, 6703, 6714, 6722, 6732, 6738, 6752, 6767, 6772, 6777, 6785, 6790, 6796, 6800, 6804, 6810,
    6816, 6820, 6824, 6829, 6836, 6841, 6847, 6850, 6852, 6859, 6864, 6871, 6874, 6879, 6886, 6892, 6895, 6900,
    6905, 6909, 6916, 6927, 6932, 6935, 6942, 6947, 6950, 6956, 6969, 6975, 6979, 6985, 6991, 6997, 7001, 7004,
    7009, 7017, 7025, 7032, 7041, 7055, 7064, 7078, 7093, 7109, 7117, 7123, 7129, 7133, 7137, 7141, 7147, 7152,
    7156, 7161, 7166, 7171, 7178, 7182, 7190, 7195, 7199, 7205, 7211, 7217, 7221, 7226, 7232, 7235, 7239, 7241,
    7246, 7249, 7251, 7257, 7260, 7266, 7268, 7276, 7279, 7282, 7288, 7293, 7298, 7306, 7312, 7316, 7322, 7328,
    7331, 7335, 7340, 7344, 7348, 7354, 7359, 7363, 7370, 7375, 7381, 7388, 7393, 7403, 7414, 7420, 7426, 7431,
    7438, 7446, 7451, 7456, 7460, 7465, 7469, 7472, 7475, 7479, 7483, 7487, 7492, 7503, 7515, 7528, 7531, 7537,
    7543, 7548, 7554, 7557, 7562, 7567, 7571, 7576, 7581, 7585, 7589, 7595, 7599, 7604, 7612, 7618, 7624, 7630,
    7636, 7642, 7648, 7654, 7660, 7666, 7672, 7678, 7684, 7690, 7696, 7702, 7707, 7712, 7716, 7718, 7721, 7727,
    7732, 7738, 7741, 7747, 7752, 7755, 7759, 7761, 7764, 7767, 7771, 7779, 7782, 7787, 7793, 7800, 7808, 7812,
    7818, 7821, 7823, 7826, 7831, 7835, 7837, 7840, 7843, 7846, 7849, 7853, 7861, 7864, 7868, 7873, 7878, 7882,
    7887, 7891, 7895, 7900, 7905, 7907, 7911, 7916, 7921, 7927, 7934, 7943, 7949, 7955, 7964, 7974, 7981, 7987,
    7996, 8000, 8004, 8010, 8014, 8020, 8026, 8030, 8037, 8042, 8046, 8051, 8057, 8066, 8072, 8078, 8081, 8089,
    8097, 8102, 8108, 8121, 8135, 8139, 8145, 8149, 8155, 8161, 8167, 8173, 8179, 8181, 8186, 8189, 8193, 8198,
    8201, 8204, 8210, 8212, 8218, 8223, 8229, 8234, 8239, 8244, 8249, 8257, 8265, 8270, 8274, 8279, 8281, 8287,
    8292, 8300, 8306, 8309, 8315, 8323, 8331, 8339, 8346, 8350, 8355, 8359, 8363, 8368, 8374, 8378, 8382, 8387,
    8394, 8399, 8405, 8410, 8412, 8418, 8423, 8427, 8432, 8435, 8438, 8443, 8447, 8451, 8457, 8462, 8467, 8473,
    8479, 8482, 8485, 8491, 8495, 8499, 8503, 8507, 8512, 8516, 8522, 8527, 8529, 8532, 8536, 8542, 8550, 8556,
    8562, 8566, 8571, 8577, 8580, 8585, 8589, 8594, 8601, 8607, 8613, 8619, 8625, 8632, 8638, 8641, 8647, 8651,
    8656, 8661, 8666, 8672, 8678, 8683, 8690, 8697, 8703, 8709, 8714, 8718, 8721, 8725, 8730, 8736, 8743, 8751,
    8755, 8757, 8766, 8779, 8794, 8807, 8821, 8835, 8850, 8867, 8886, 8900, 8903, 8906, 8910, 8918, 8921, 8926,
    8932, 8939, 8947, 8951, 8957, 8967, 8974, 8983, 8993, 9000, 9007, 9013, 9019, 9022, 9024, 9027, 9032, 9037,
    9043, 9048, 9052, 9054, 9059, 9067, 9073, 9078, 9084, 9090, 9100, 9103, 9107, 9115, 9118, 9122, 9127, 9132,
    9137, 9142, 9147, 9160, 9178, 9188, 9202, 9215, 9229, 9234, 9238, 9244, 9251, 9257, 9263, 9266, 9273, 9277,
    9281, 9287, 9292, 9300, 9305, 9311, 9314, 9319, 9325, 9329, 9332, 9336, 9341, 9346, 9350, 9355, 9361, 9367,
    9369, 9373, 9378, 9383, 9389, 9395, 9401, 9408, 9414, 9418, 9423, 9428, 9436, 9443, 9452, 9456, 9461, 9465,
    9469, 9473, 9480, 9483, 9489, 9499, 9509, 9517, 9523, 9529, 9532, 9537, 9550, 9553, 9556, 9561, 9564, 9570,
    9576, 9582, 9587, 9593, 9599, 9606, 9610, 9614, 9620, 9626, 9630, 9632, 9636, 9642, 9644, 9652, 9657, 9660,
    9663, 9667, 9677, 9692, 9695, 9698, 9702, 9713, 9719, 9725, 9730, 9736, 9740, 9743, 9747, 9752, 9757, 9764,
    9769, 9776, 9784, 9788, 9793, 9799, 9803, 9809, 9815, 9820, 9828, 9832, 9835, 9840, 9842, 9847, 9853, 9858,
    9865, 9870, 9876, 9882, 9887, 9893, 9900, 9903, 9906, 9909, 9913, 9918, 9927, 9931, 9936, 9939, 9943, 9948,
    9953, 9958, 9960, 9963, 9967, 9970, 9974, 9979, 9982, 9987, 9991, 9994, 10004, 10019, 10023, 10028, 10037,
    10041, 10046, 10051, 10054, 10059, 10065, 10069, 10073, 10076, 10081, 10087, 10095, 10102, 10109, 10116, 10121,
    10128, 10135, 10142, 10146, 10155, 10161, 10166, 10173, 10176, 10182, 10186, 10191, 10198, 10203, 10208, 10214,
    10220, 10231, 10236, 10242, 10245, 10251, 10255, 10259, 10268, 10282, 10286, 10291, 10297, 10302, 10307, 10314,
    10321, 10325, 10330, 10335, 10342, 10351, 10361, 10366, 10373, 10377, 10382, 10387, 10394, 10403, 10413, 10417,
    10423, 10427, 10440, 10455, 10469, 10485, 10487, 10490, 10496, 10501, 10507, 10513, 10517, 10523, 10527, 10531,
    10538, 10544, 10548, 10552, 10559, 10565, 10572, 10577, 10582, 10588, 10593, 10600, 10606, 10608, 10614, 10618,
    10622, 10627, 10630, 10635, 10641, 10645, 10649, 10655, 10660, 10665, 10668, 10672, 10678, 10681, 10686, 10689,
    10693, 10698, 10703, 10710, 10715, 10718, 10723, 10728, 10735, 10739, 10745, 10749, 10753, 10758, 10763, 10765,
    10770, 10773, 10778, 10785, 10789, 10793, 10799, 10803, 10810, 10813, 10817, 10823, 10827, 10833, 10839, 10847,
    10851, 10856, 10859, 10863, 10871, 10877, 10882, 10886, 10889, 10895, 10901, 10907, 10911, 10918, 10921, 10924,
    10928, 10934, 10939, 10941, 10950, 10953, 10959, 10966, 10972, 10976, 10984, 10989, 10996, 11002, 11008, 11013,
    11019, 11026, 11033, 11035, 11043, 11047, 11052, 11054, 11057, 11061, 11066, 11069, 11073, 11083, 11094, 11100,
    11111, 11119, 11127, 11134, 11139, 11145, 11149, 11154, 11160, 11164, 11172, 11180, 11188, 11192, 11198, 11203,
    11209, 11213, 11216, 11222, 11225, 11229, 11233, 11239, 11243, 11254, 11261, 11266, 11273, 11277, 11282, 11286,
    11292, 11297, 11301, 11305, 11311, 11316, 11324, 11328, 11333, 11338, 11344, 11349, 11353, 11359, 11364, 11371,
    11376, 11382, 11388, 11394, 11400, 11407, 11413, 11418, 11424, 11429, 11438, 11443, 11448, 11454, 11460, 11465,
    11472, 11479, 11485, 11491, 11496, 11500, 11503, 11507, 11514, 11519, 11525, 11529, 11533, 11540, 11548, 11553,
    11557, 11560, 11566, 11572, 11575, 11580, 11585, 11591, 11594, 11598, 11608, 11622, 11638, 11652, 11667, 11684,
    11700, 11715, 11730, 11734, 11746, 11751, 11756, 11759, 11765, 11775, 11780, 11785, 11790, 11795, 11800, 11804,
    11810, 11817, 11821, 11827, 11835, 11840, 11846, 11850, 11853, 11857, 11862, 11868, 11874, 11880, 11884, 11889,
    11894, 11902, 11909, 11911, 11917, 11922, 11924, 11927, 11931, 11937, 11942, 11945, 11951, 11956, 11960, 11965,
    11971, 11979, 11984, 11987, 11991, 11996, 12001, 12006, 12012, 12017, 12024, 12028, 12032, 12038, 12046, 12051,
    12055, 12058, 12064, 12069, 12075, 12079, 12087, 12100, 12103, 12108, 12114, 12120, 12123, 12129, 12133, 12138,
    12142, 12147, 12151, 12156, 12161, 12168, 12175, 12180, 12193, 12199, 12207, 12211, 12216, 12219, 12223, 12228,
    12234, 12237, 12241, 12247, 12251, 12257, 12266, 12270, 12275, 12281, 12286, 12292, 12297, 12303, 12311, 12321,
    12326, 12332, 12340, 12350, 12353, 12359, 12365, 12369, 12374, 12378, 12384, 12390, 12396, 12400, 12405, 12420,
    12431, 12436, 12439, 12443, 12449, 12453, 12460, 12467, 12472, 12477, 12484, 12491, 12497, 12505, 12514, 12523,
    12533, 12539, 12545, 12551, 12555, 12565, 12576, 12582, 12593, 12601, 12609, 12616, 12619, 12623, 12626, 12630,
    12634, 12638, 12642, 12648, 12655, 12659, 12666, 12673, 12680, 12687, 12694, 12699, 12704, 12711, 12717, 12725,
    12734, 12743, 12753, 12759, 12765, 12771, 12776, 12782, 12787, 12794, 12800, 12805, 12811, 12814, 12818, 12824,
    12830, 12833, 12837, 12843, 12846, 12852, 12861, 12866, 12874, 12880, 12891, 12899, 12905, 12910, 12916, 12921,
    12926, 12931, 12937, 12945, 12951, 12955, 12959, 12962, 12968, 12974, 12978, 12985, 12989, 12995, 13000, 13008,
    13020, 13032, 13046, 13055, 13068, 13083, 13089, 13093, 13101, 13108, 13113, 13120, 13128, 13132, 13136, 13141,
    13147, 13152, 13168, 13185, 13189, 13193, 13199, 13203, 13208, 13214, 13219, 13222, 13227, 13233, 13238, 13244,
    13247, 13253, 13258, 13263, 13268, 13274, 13282, 13288, 13293, 13298, 13301, 13306, 13310, 13317, 13328, 13341,
    13355, 13360, 13364, 13369, 13376, 13386, 13392, 13400, 13406, 13411, 13416, 13420, 13425, 13431, 13435, 13440,
    13445, 13449, 13456, 13460, 13464, 13469, 13474, 13480, 13490, 13498, 13508, 13514, 13519, 13528, 13532, 13538,
    13546, 13558, 13571, 13583, 13596, 13604, 13619, 13635, 13638, 13643, 13646, 13652, 13657, 13663, 13669, 13673,
    13676, 13681, 13686, 13691, 13695, 13700, 13705, 13709, 13715, 13721, 13727, 13733, 13740, 13745, 13751, 13756,
    13762, 13768, 13771, 13775, 13777, 13779, 13785, 13789, 13793, 13798, 13802, 13807, 13810, 13815, 13820, 13822,
    13827, 13832, 13836, 13840, 13845, 13849, 13855, 13861, 13866, 13871, 13875, 13881, 13887, 13892, 13896, 13902,
    13908, 13912, 13917, 13920, 13923, 13926, 13930, 13934, 13938, 13942, 13946, 13952, 13958, 13961, 13965, 13971,
    13975, 13978, 13982, 13989, 13993, 13997, 14000, 14004,
};

const uint32_t kEntityValues[kEntityCount] = {
    0x800000c6, 0x80000026, 0x800000c1, 0x102, 0x800000c2, 0x410, 0x1d504, 0x800000c0, 0x391, 0x100, 0x2a53, 0x104,
    0x1d538, 0x2061, 0x800000c5, 0x1d49c, 0x2254, 0x800000c3, 0x800000c4, 0x2216, 0x2ae7, 0x2306, 0x411, 0x2235,
    0x212c, 0x392, 0x1d505, 0x1d539, 0x2d8, 0x212c, 0x224e, 0x427, 0x800000a9, 0x106, 0x22d2, 0x2145, 0x212d, 0x10c,
    0x800000c7, 0x108, 0x2230, 0x10a, 0xb8, 0xb7, 0x212d, 0x3a7, 0x2299, 0x2296, 0x2295, 0x2297, 0x2232, 0x201d,
    0x2019, 0x2237, 0x2a74, 0x2261, 0x222f, 0x222e, 0x2102, 0x2210, 0x2233, 0x2a2f, 0x1d49e, 0x22d3, 0x224d, 0x2145,
    0x2911, 0x402, 0x405, 0x40f, 0x2021, 0x21a1, 0x2ae4, 0x10e, 0x414, 0x2207, 0x394, 0x1d507, 0xb4, 0x2d9, 0x2dd,
    0x60, 0x2dc, 0x22c4, 0x2146, 0x1d53b, 0xa8, 0x20dc, 0x2250, 0x222f, 0xa8, 0x21d3, 0x21d0, 0x21d4, 0x2ae4,
    0x27f8, 0x27fa, 0x27f9, 0x21d2, 0x22a8, 0x21d1, 0x21d5, 0x2225, 0x2193, 0x2913, 0x21f5, 0x311, 0x2950, 0x295e,
    0x21bd, 0x2956, 0x295f, 0x21c1, 0x2957, 0x22a4, 0x21a7, 0x21d3, 0x1d49f, 0x110, 0x14a, 0x800000d0, 0x800000c9,
    0x11a, 0x800000ca, 0x42d, 0x116, 0x1d508, 0x800000c8, 0x2208, 0x112, 0x25fb, 0x25ab, 0x118, 0x1d53c, 0x395,
    0x2a75, 0x2242, 0x21cc, 0x2130, 0x2a73, 0x397, 0x800000cb, 0x2203, 0x2147, 0x424, 0x1d509, 0x25fc, 0x25aa,
    0x1d53d, 0x2200, 0x2131, 0x2131, 0x403, 0x8000003e, 0x393, 0x3dc, 0x11e, 0x122, 0x11c, 0x413, 0x120, 0x1d50a,
    0x22d9, 0x1d53e, 0x2265, 0x22db, 0x2267, 0x2aa2, 0x2277, 0x2a7e, 0x2273, 0x1d4a2, 0x226b, 0x42a, 0x2c7, 0x5e,
    0x124, 0x210c, 0x210b, 0x210d, 0x2500, 0x210b, 0x126, 0x224e, 0x224f, 0x415, 0x132, 0x401, 0x800000cd,
    0x800000ce, 0x418, 0x130, 0x2111, 0x800000cc, 0x2111, 0x12a, 0x2148, 0x21d2, 0x222c, 0x222b, 0x22c2, 0x2063,
    0x2062, 0x12e, 0x1d540, 0x399, 0x2110, 0x128, 0x406, 0x800000cf, 0x134, 0x419, 0x1d50d, 0x1d541, 0x1d4a5, 0x408,
    0x404, 0x425, 0x40c, 0x39a, 0x136, 0x41a, 0x1d50e, 0x1d542, 0x1d4a6, 0x409, 0x8000003c, 0x139, 0x39b, 0x27ea,
    0x2112, 0x219e, 0x13d, 0x13b, 0x41b, 0x27e8, 0x2190, 0x21e4, 0x21c6, 0x2308, 0x27e6, 0x2961, 0x21c3, 0x2959,
    0x230a, 0x2194, 0x294e, 0x22a3, 0x21a4, 0x295a, 0x22b2, 0x29cf, 0x22b4, 0x2951, 0x2960, 0x21bf, 0x2958, 0x21bc,
    0x2952, 0x21d0, 0x21d4, 0x22da, 0x2266, 0x2276, 0x2aa1, 0x2a7d, 0x2272, 0x1d50f, 0x22d8, 0x21da, 0x13f, 0x27f5,
    0x27f7, 0x27f6, 0x27f8, 0x27fa, 0x27f9, 0x1d543, 0x2199, 0x2198, 0x2112, 0x21b0, 0x141, 0x226a, 0x2905, 0x41c,
    0x205f, 0x2133, 0x1d510, 0x2213, 0x1d544, 0x2133, 0x39c, 0x40a, 0x143, 0x147, 0x145, 0x41d, 0x200b, 0x200b,
    0x200b, 0x200b, 0x226b, 0x226a, 0xa, 0x1d511, 0x2060, 0xa0, 0x2115, 0x2aec, 0x2262, 0x226d, 0x2226, 0x2209,
    0x2260, 0x40002242, 0x2204, 0x226f, 0x2271, 0x40002267, 0x4000226b, 0x2279, 0x40002a7e, 0x2275, 0x4000224e,
    0x4000224f, 0x22ea, 0x400029cf, 0x22ec, 0x226e, 0x2270, 0x2278, 0x4000226a, 0x40002a7d, 0x2274, 0x40002aa2,
    0x40002aa1, 0x2280, 0x40002aaf, 0x22e0, 0x220c, 0x22eb, 0x400029d0, 0x22ed, 0x4000228f, 0x22e2, 0x40002290,
    0x22e3, 0x40002282, 0x2288, 0x2281, 0x40002ab0, 0x22e1, 0x4000227f, 0x40002283, 0x2289, 0x2241, 0x2244, 0x2247,
    0x2249, 0x2224, 0x1d4a9, 0x800000d1, 0x39d, 0x152, 0x800000d3, 0x800000d4, 0x41e, 0x150, 0x1d512, 0x800000d2,
    0x14c, 0x3a9, 0x39f, 0x1d546, 0x201c, 0x2018, 0x2a54, 0x1d4aa, 0x800000d8, 0x800000d5, 0x2a37, 0x800000d6,
    0x203e, 0x23de, 0x23b4, 0x23dc, 0x2202, 0x41f, 0x1d513, 0x3a6, 0x3a0, 0xb1, 0x210c, 0x2119, 0x2abb, 0x227a,
    0x2aaf, 0x227c, 0x227e, 0x2033, 0x220f, 0x2237, 0x221d, 0x1d4ab, 0x3a8, 0x80000022, 0x1d514, 0x211a, 0x1d4ac,
    0x2910, 0x800000ae, 0x154, 0x27eb, 0x21a0, 0x2916, 0x158, 0x156, 0x420, 0x211c, 0x220b, 0x21cb, 0x296f, 0x211c,
    0x3a1, 0x27e9, 0x2192, 0x21e5, 0x21c4, 0x2309, 0x27e7, 0x295d, 0x21c2, 0x2955, 0x230b, 0x22a2, 0x21a6, 0x295b,
    0x22b3, 0x29d0, 0x22b5, 0x294f, 0x295c, 0x21be, 0x2954, 0x21c0, 0x2953, 0x21d2, 0x211d, 0x2970, 0x21db, 0x211b,
    0x21b1, 0x29f4, 0x429, 0x428, 0x42c, 0x15a, 0x2abc, 0x160, 0x15e, 0x15c, 0x421, 0x1d516, 0x2193, 0x2190, 0x2192,
    0x2191, 0x3a3, 0x2218, 0x1d54a, 0x221a, 0x25a1, 0x2293, 0x228f, 0x2291, 0x2290, 0x2292, 0x2294, 0x1d4ae, 0x22c6,
    0x22d0, 0x22d0, 0x2286, 0x227b, 0x2ab0, 0x227d, 0x227f, 0x220b, 0x2211, 0x22d1, 0x2283, 0x2287, 0x22d1,
    0x800000de, 0x2122, 0x40b, 0x426, 0x9, 0x3a4, 0x164, 0x162, 0x422, 0x1d517, 0x2234, 0x398, 0x4000205f, 0x2009,
    0x223c, 0x2243, 0x2245, 0x2248, 0x1d54b, 0x20db, 0x1d4af, 0x166, 0x800000da, 0x219f, 0x2949, 0x40e, 0x16c,
    0x800000db, 0x423, 0x170, 0x1d518, 0x800000d9, 0x16a, 0x5f, 0x23df, 0x23b5, 0x23dd, 0x22c3, 0x228e, 0x172,
    0x1d54c, 0x2191, 0x2912, 0x21c5, 0x2195, 0x296e, 0x22a5, 0x21a5, 0x21d1, 0x21d5, 0x2196, 0x2197, 0x3d2, 0x3a5,
    0x16e, 0x1d4b0, 0x168, 0x800000dc, 0x22ab, 0x2aeb, 0x412, 0x22a9, 0x2ae6, 0x22c1, 0x2016, 0x2016, 0x2223, 0x7c,
    0x2758, 0x2240, 0x200a, 0x1d519, 0x1d54d, 0x1d4b1, 0x22aa, 0x174, 0x22c0, 0x1d51a, 0x1d54e, 0x1d4b2, 0x1d51b,
    0x39e, 0x1d54f, 0x1d4b3, 0x42f, 0x407, 0x42e, 0x800000dd, 0x176, 0x42b, 0x1d51c, 0x1d550, 0x1d4b4, 0x178, 0x416,
    0x179, 0x17d, 0x417, 0x17b, 0x200b, 0x396, 0x2128, 0x2124, 0x1d4b5, 0x800000e1, 0x103, 0x223e, 0x4000223e,
    0x223f, 0x800000e2, 0x800000b4, 0x430, 0x800000e6, 0x2061, 0x1d51e, 0x800000e0, 0x2135, 0x2135, 0x3b1, 0x101,
    0x2a3f, 0x80000026, 0x2227, 0x2a55, 0x2a5c, 0x2a58, 0x2a5a, 0x2220, 0x29a4, 0x2220, 0x2221, 0x29a8, 0x29a9,
    0x29aa, 0x29ab, 0x29ac, 0x29ad, 0x29ae, 0x29af, 0x221f, 0x22be, 0x299d, 0x2222, 0xc5, 0x237c, 0x105, 0x1d552,
    0x2248, 0x2a70, 0x2a6f, 0x224a, 0x224b, 0x27, 0x2248, 0x224a, 0x800000e5, 0x1d4b6, 0x2a, 0x2248, 0x224d,
    0x800000e3, 0x800000e4, 0x2233, 0x2a11, 0x2aed, 0x224c, 0x3f6, 0x2035, 0x223d, 0x22cd, 0x22bd, 0x2305, 0x2305,
    0x23b5, 0x23b6, 0x224c, 0x431, 0x201e, 0x2235, 0x2235, 0x29b0, 0x3f6, 0x212c, 0x3b2, 0x2136, 0x226c, 0x1d51f,
    0x22c2, 0x25ef, 0x22c3, 0x2a00, 0x2a01, 0x2a02, 0x2a06, 0x2605, 0x25bd, 0x25b3, 0x2a04, 0x22c1, 0x22c0, 0x290d,
    0x29eb, 0x25aa, 0x25b4, 0x25be, 0x25c2, 0x25b8, 0x2423, 0x2592, 0x2591, 0x2593, 0x2588, 0x4000003d, 0x40002261,
    0x2310, 0x1d553, 0x22a5, 0x22a5, 0x22c8, 0x2557, 0x2554, 0x2556, 0x2553, 0x2550, 0x2566, 0x2569, 0x2564, 0x2567,
    0x255d, 0x255a, 0x255c, 0x2559, 0x2551, 0x256c, 0x2563, 0x2560, 0x256b, 0x2562, 0x255f, 0x29c9, 0x2555, 0x2552,
    0x2510, 0x250c, 0x2500, 0x2565, 0x2568, 0x252c, 0x2534, 0x229f, 0x229e, 0x22a0, 0x255b, 0x2558, 0x2518, 0x2514,
    0x2502, 0x256a, 0x2561, 0x255e, 0x253c, 0x2524, 0x251c, 0x2035, 0x2d8, 0x800000a6, 0x1d4b7, 0x204f, 0x223d,
    0x22cd, 0x5c, 0x29c5, 0x27c8, 0x2022, 0x2022, 0x224e, 0x2aae, 0x224f, 0x224f, 0x107, 0x2229, 0x2a44, 0x2a49,
    0x2a4b, 0x2a47, 0x2a40, 0x40002229, 0x2041, 0x2c7, 0x2a4d, 0x10d, 0x800000e7, 0x109, 0x2a4c, 0x2a50, 0x10b,
    0x800000b8, 0x29b2, 0x800000a2, 0xb7, 0x1d520, 0x447, 0x2713, 0x2713, 0x3c7, 0x25cb, 0x29c3, 0x2c6, 0x2257,
    0x21ba, 0x21bb, 0xae, 0x24c8, 0x229b, 0x229a, 0x229d, 0x2257, 0x2a10, 0x2aef, 0x29c2, 0x2663, 0x2663, 0x3a,
    0x2254, 0x2254, 0x2c, 0x40, 0x2201, 0x2218, 0x2201, 0x2102, 0x2245, 0x2a6d, 0x222e, 0x1d554, 0x2210, 0x800000a9,
    0x2117, 0x21b5, 0x2717, 0x1d4b8, 0x2acf, 0x2ad1, 0x2ad0, 0x2ad2, 0x22ef, 0x2938, 0x2935, 0x22de, 0x22df, 0x21b6,
    0x293d, 0x222a, 0x2a48, 0x2a46, 0x2a4a, 0x228d, 0x2a45, 0x4000222a, 0x21b7, 0x293c, 0x22de, 0x22df, 0x22ce,
    0x22cf, 0x800000a4, 0x21b6, 0x21b7, 0x22ce, 0x22cf, 0x2232, 0x2231, 0x232d, 0x21d3, 0x2965, 0x2020, 0x2138,
    0x2193, 0x2010, 0x22a3, 0x290f, 0x2dd, 0x10f, 0x434, 0x2146, 0x2021, 0x21ca, 0x2a77, 0x800000b0, 0x3b4, 0x29b1,
    0x297f, 0x1d521, 0x21c3, 0x21c2, 0x22c4, 0x22c4, 0x2666, 0x2666, 0xa8, 0x3dd, 0x22f2, 0xf7, 0x800000f7, 0x22c7,
    0x22c7, 0x452, 0x231e, 0x230d, 0x24, 0x1d555, 0x2d9, 0x2250, 0x2251, 0x2238, 0x2214, 0x22a1, 0x2306, 0x2193,
    0x21ca, 0x21c3, 0x21c2, 0x2910, 0x231f, 0x230c, 0x1d4b9, 0x455, 0x29f6, 0x111, 0x22f1, 0x25bf, 0x25be, 0x21f5,
    0x296f, 0x29a6, 0x45f, 0x27ff, 0x2a77, 0x2251, 0x800000e9, 0x2a6e, 0x11b, 0x2256, 0x800000ea, 0x2255, 0x44d,
    0x117, 0x2147, 0x2252, 0x1d522, 0x2a9a, 0x800000e8, 0x2a96, 0x2a98, 0x2a99, 0x23e7, 0x2113, 0x2a95, 0x2a97,
    0x113, 0x2205, 0x2205, 0x2205, 0x2003, 0x2004, 0x2005, 0x14b, 0x2002, 0x119, 0x1d556, 0x22d5, 0x29e3, 0x2a71,
    0x3b5, 0x3b5, 0x3f5, 0x2256, 0x2255, 0x2242, 0x2a96, 0x2a95, 0x3d, 0x225f, 0x2261, 0x2a78, 0x29e5, 0x2253,
    0x2971, 0x212f, 0x2250, 0x2242, 0x3b7, 0x800000f0, 0x800000eb, 0x20ac, 0x21, 0x2203, 0x2130, 0x2147, 0x2252,
    0x444, 0x2640, 0xfb03, 0xfb00, 0xfb04, 0x1d523, 0xfb01, 0x40000066, 0x266d, 0xfb02, 0x25b1, 0x192, 0x1d557,
    0x2200, 0x22d4, 0x2ad9, 0x2a0d, 0x800000bd, 0x2153, 0x800000bc, 0x2155, 0x2159, 0x215b, 0x2154, 0x2156,
    0x800000be, 0x2157, 0x215c, 0x2158, 0x215a, 0x215d, 0x215e, 0x2044, 0x2322, 0x1d4bb, 0x2267, 0x2a8c, 0x1f5,
    0x3b3, 0x3dd, 0x2a86, 0x11f, 0x11d, 0x433, 0x121, 0x2265, 0x22db, 0x2265, 0x2267, 0x2a7e, 0x2a7e, 0x2aa9,
    0x2a80, 0x2a82, 0x2a84, 0x400022db, 0x2a94, 0x1d524, 0x226b, 0x22d9, 0x2137, 0x453, 0x2277, 0x2a92, 0x2aa5,
    0x2aa4, 0x2269, 0x2a8a, 0x2a8a, 0x2a88, 0x2a88, 0x2269, 0x22e7, 0x1d558, 0x60, 0x210a, 0x2273, 0x2a8e, 0x2a90,
    0x8000003e, 0x2aa7, 0x2a7a, 0x22d7, 0x2995, 0x2a7c, 0x2a86, 0x2978, 0x22d7, 0x22db, 0x2a8c, 0x2277, 0x2273,
    0x40002269, 0x40002269, 0x21d4, 0x200a, 0xbd, 0x210b, 0x44a, 0x2194, 0x2948, 0x21ad, 0x210f, 0x125, 0x2665,
    0x2665, 0x2026, 0x22b9, 0x1d525, 0x2925, 0x2926, 0x21ff, 0x223b, 0x21a9, 0x21aa, 0x1d559, 0x2015, 0x1d4bd,
    0x210f, 0x127, 0x2043, 0x2010, 0x800000ed, 0x2063, 0x800000ee, 0x438, 0x435, 0x800000a1, 0x21d4, 0x1d526,
    0x800000ec, 0x2148, 0x2a0c, 0x222d, 0x29dc, 0x2129, 0x133, 0x12b, 0x2111, 0x2110, 0x2111, 0x131, 0x22b7, 0x1b5,
    0x2208, 0x2105, 0x221e, 0x29dd, 0x131, 0x222b, 0x22ba, 0x2124, 0x22ba, 0x2a17, 0x2a3c, 0x451, 0x12f, 0x1d55a,
    0x3b9, 0x2a3c, 0x800000bf, 0x1d4be, 0x2208, 0x22f9, 0x22f5, 0x22f4, 0x22f3, 0x2208, 0x2062, 0x129, 0x456,
    0x800000ef, 0x135, 0x439, 0x1d527, 0x237, 0x1d55b, 0x1d4bf, 0x458, 0x454, 0x3ba, 0x3f0, 0x137, 0x43a, 0x1d528,
    0x138, 0x445, 0x45c, 0x1d55c, 0x1d4c0, 0x21da, 0x21d0, 0x291b, 0x290e, 0x2266, 0x2a8b, 0x2962, 0x13a, 0x29b4,
    0x2112, 0x3bb, 0x27e8, 0x2991, 0x27e8, 0x2a85, 0x800000ab, 0x2190, 0x21e4, 0x291f, 0x291d, 0x21a9, 0x21ab,
    0x2939, 0x2973, 0x21a2, 0x2aab, 0x2919, 0x2aad, 0x40002aad, 0x290c, 0x2772, 0x7b, 0x5b, 0x298b, 0x298f, 0x298d,
    0x13e, 0x13c, 0x2308, 0x7b, 0x43b, 0x2936, 0x201c, 0x201e, 0x2967, 0x294b, 0x21b2, 0x2264, 0x2190, 0x21a2,
    0x21bd, 0x21bc, 0x21c7, 0x2194, 0x21c6, 0x21cb, 0x21ad, 0x22cb, 0x22da, 0x2264, 0x2266, 0x2a7d, 0x2a7d, 0x2aa8,
    0x2a7f, 0x2a81, 0x2a83, 0x400022da, 0x2a93, 0x2a85, 0x22d6, 0x22da, 0x2a8b, 0x2276, 0x2272, 0x297c, 0x230a,
    0x1d529, 0x2276, 0x2a91, 0x21bd, 0x21bc, 0x296a, 0x2584, 0x459, 0x226a, 0x21c7, 0x231e, 0x296b, 0x25fa, 0x140,
    0x23b0, 0x23b0, 0x2268, 0x2a89, 0x2a89, 0x2a87, 0x2a87, 0x2268, 0x22e6, 0x27ec, 0x21fd, 0x27e6, 0x27f5, 0x27f7,
    0x27fc, 0x27f6, 0x21ab, 0x21ac, 0x2985, 0x1d55d, 0x2a2d, 0x2a34, 0x2217, 0x5f, 0x25ca, 0x25ca, 0x29eb, 0x28,
    0x2993, 0x21c6, 0x231f, 0x21cb, 0x296d, 0x200e, 0x22bf, 0x2039, 0x1d4c1, 0x21b0, 0x2272, 0x2a8d, 0x2a8f, 0x5b,
    0x2018, 0x201a, 0x142, 0x8000003c, 0x2aa6, 0x2a79, 0x22d6, 0x22cb, 0x22c9, 0x2976, 0x2a7b, 0x2996, 0x25c3,
    0x22b4, 0x25c2, 0x294a, 0x2966, 0x40002268, 0x40002268, 0x223a, 0x800000af, 0x2642, 0x2720, 0x2720, 0x21a6,
    0x21a6, 0x21a7, 0x21a4, 0x21a5, 0x25ae, 0x2a29, 0x43c, 0x2014, 0x2221, 0x1d52a, 0x2127, 0x800000b5, 0x2223,
    0x2a, 0x2af0, 0x800000b7, 0x2212, 0x229f, 0x2238, 0x2a2a, 0x2adb, 0x2026, 0x2213, 0x22a7, 0x1d55e, 0x2213,
    0x1d4c2, 0x223e, 0x3bc, 0x22b8, 0x22b8, 0x400022d9, 0x4000226b, 0x4000226b, 0x21cd, 0x21ce, 0x400022d8,
    0x4000226a, 0x4000226a, 0x21cf, 0x22af, 0x22ae, 0x2207, 0x144, 0x40002220, 0x2249, 0x40002a70, 0x4000224b,
    0x149, 0x2249, 0x266e, 0x266e, 0x2115, 0x800000a0, 0x4000224e, 0x4000224f, 0x2a43, 0x148, 0x146, 0x2247,
    0x40002a6d, 0x2a42, 0x43d, 0x2013, 0x2260, 0x21d7, 0x2924, 0x2197, 0x2197, 0x40002250, 0x2262, 0x2928,
    0x40002242, 0x2204, 0x2204, 0x1d52b, 0x40002267, 0x2271, 0x2271, 0x40002267, 0x40002a7e, 0x40002a7e, 0x2275,
    0x226f, 0x226f, 0x21ce, 0x21ae, 0x2af2, 0x220b, 0x22fc, 0x22fa, 0x220b, 0x45a, 0x21cd, 0x40002266, 0x219a,
    0x2025, 0x2270, 0x219a, 0x21ae, 0x2270, 0x40002266, 0x40002a7d, 0x40002a7d, 0x226e, 0x2274, 0x226e, 0x22ea,
    0x22ec, 0x2224, 0x1d55f, 0x800000ac, 0x2209, 0x400022f9, 0x400022f5, 0x2209, 0x22f7, 0x22f6, 0x220c, 0x220c,
    0x22fe, 0x22fd, 0x2226, 0x2226, 0x40002afd, 0x40002202, 0x2a14, 0x2280, 0x22e0, 0x40002aaf, 0x2280, 0x40002aaf,
    0x21cf, 0x219b, 0x40002933, 0x4000219d, 0x219b, 0x22eb, 0x22ed, 0x2281, 0x22e1, 0x40002ab0, 0x1d4c3, 0x2224,
    0x2226, 0x2241, 0x2244, 0x2244, 0x2224, 0x2226, 0x22e2, 0x22e3, 0x2284, 0x40002ac5, 0x2288, 0x40002282, 0x2288,
    0x40002ac5, 0x2281, 0x40002ab0, 0x2285, 0x40002ac6, 0x2289, 0x40002283, 0x2289, 0x40002ac6, 0x2279, 0x800000f1,
    0x2278, 0x22ea, 0x22ec, 0x22eb, 0x22ed, 0x3bd, 0x23, 0x2116, 0x2007, 0x22ad, 0x2904, 0x4000224d, 0x22ac,
    0x40002265, 0x4000003e, 0x29de, 0x2902, 0x40002264, 0x4000003c, 0x400022b4, 0x2903, 0x400022b5, 0x4000223c,
    0x21d6, 0x2923, 0x2196, 0x2196, 0x2927, 0x24c8, 0x800000f3, 0x229b, 0x229a, 0x800000f4, 0x43e, 0x229d, 0x151,
    0x2a38, 0x2299, 0x29bc, 0x153, 0x29bf, 0x1d52c, 0x2db, 0x800000f2, 0x29c1, 0x29b5, 0x3a9, 0x222e, 0x21ba,
    0x29be, 0x29bb, 0x203e, 0x29c0, 0x14d, 0x3c9, 0x3bf, 0x29b6, 0x2296, 0x1d560, 0x29b7, 0x29b9, 0x2295, 0x2228,
    0x21bb, 0x2a5d, 0x2134, 0x2134, 0x800000aa, 0x800000ba, 0x22b6, 0x2a56, 0x2a57, 0x2a5b, 0x2134, 0x800000f8,
    0x2298, 0x800000f5, 0x2297, 0x2a36, 0x800000f6, 0x233d, 0x2225, 0x800000b6, 0x2225, 0x2af3, 0x2afd, 0x2202,
    0x43f, 0x25, 0x2e, 0x2030, 0x22a5, 0x2031, 0x1d52d, 0x3c6, 0x3d5, 0x2133, 0x260e, 0x3c0, 0x22d4, 0x3d6, 0x210f,
    0x210e, 0x210f, 0x2b, 0x2a23, 0x229e, 0x2a22, 0x2214, 0x2a25, 0x2a72, 0x800000b1, 0x2a26, 0x2a27, 0xb1, 0x2a15,
    0x1d561, 0x800000a3, 0x227a, 0x2ab3, 0x2ab7, 0x227c, 0x2aaf, 0x227a, 0x2ab7, 0x227c, 0x2aaf, 0x2ab9, 0x2ab5,
    0x22e8, 0x227e, 0x2032, 0x2119, 0x2ab5, 0x2ab9, 0x22e8, 0x220f, 0x232e, 0x2312, 0x2313, 0x221d, 0x221d, 0x227e,
    0x22b0, 0x1d4c5, 0x3c8, 0x2008, 0x1d52e, 0x2a0c, 0x1d562, 0x2057, 0x1d4c6, 0x210d, 0x2a16, 0x3f, 0x225f,
    0x80000022, 0x21db, 0x21d2, 0x291c, 0x290f, 0x2964, 0x4000223d, 0x155, 0x221a, 0x29b3, 0x27e9, 0x2992, 0x29a5,
    0x27e9, 0x800000bb, 0x2192, 0x2975, 0x21e5, 0x2920, 0x2933, 0x291e, 0x21aa, 0x21ac, 0x2945, 0x2974, 0x21a3,
    0x219d, 0x291a, 0x2236, 0x211a, 0x290d, 0x2773, 0x7d, 0x5d, 0x298c, 0x298e, 0x2990, 0x159, 0x157, 0x2309, 0x7d,
    0x440, 0x2937, 0x2969, 0x201d, 0x201d, 0x21b3, 0x211c, 0x211b, 0x211c, 0x211d, 0x25ad, 0x800000ae, 0x297d,
    0x230b, 0x1d52f, 0x21c1, 0x21c0, 0x296c, 0x3c1, 0x3f1, 0x2192, 0x21a3, 0x21c1, 0x21c0, 0x21c4, 0x21cc, 0x21c9,
    0x219d, 0x22cc, 0x2da, 0x2253, 0x21c4, 0x21cc, 0x200f, 0x23b1, 0x23b1, 0x2aee, 0x27ed, 0x21fe, 0x27e7, 0x2986,
    0x1d563, 0x2a2e, 0x2a35, 0x29, 0x2994, 0x2a12, 0x21c9, 0x203a, 0x1d4c7, 0x21b1, 0x5d, 0x2019, 0x2019, 0x22cc,
    0x22ca, 0x25b9, 0x22b5, 0x25b8, 0x29ce, 0x2968, 0x211e, 0x15b, 0x201a, 0x227b, 0x2ab4, 0x2ab8, 0x161, 0x227d,
    0x2ab0, 0x15f, 0x15d, 0x2ab6, 0x2aba, 0x22e9, 0x2a13, 0x227f, 0x441, 0x22c5, 0x22a1, 0x2a66, 0x21d8, 0x2925,
    0x2198, 0x2198, 0x800000a7, 0x3b, 0x2929, 0x2216, 0x2216, 0x2736, 0x1d530, 0x2322, 0x266f, 0x449, 0x448, 0x2223,
    0x2225, 0x800000ad, 0x3c3, 0x3c2, 0x3c2, 0x223c, 0x2a6a, 0x2243, 0x2243, 0x2a9e, 0x2aa0, 0x2a9d, 0x2a9f, 0x2246,
    0x2a24, 0x2972, 0x2190, 0x2216, 0x2a33, 0x29e4, 0x2223, 0x2323, 0x2aaa, 0x2aac, 0x40002aac, 0x44c, 0x2f, 0x29c4,
    0x233f, 0x1d564, 0x2660, 0x2660, 0x2225, 0x2293, 0x40002293, 0x2294, 0x40002294, 0x228f, 0x2291, 0x228f, 0x2291,
    0x2290, 0x2292, 0x2290, 0x2292, 0x25a1, 0x25a1, 0x25aa, 0x25aa, 0x2192, 0x1d4c8, 0x2216, 0x2323, 0x22c6, 0x2606,
    0x2605, 0x3f5, 0x3d5, 0xaf, 0x2282, 0x2ac5, 0x2abd, 0x2286, 0x2ac3, 0x2ac1, 0x2acb, 0x228a, 0x2abf, 0x2979,
    0x2282, 0x2286, 0x2ac5, 0x228a, 0x2acb, 0x2ac7, 0x2ad5, 0x2ad3, 0x227b, 0x2ab8, 0x227d, 0x2ab0, 0x2aba, 0x2ab6,
    0x22e9, 0x227f, 0x2211, 0x266a, 0x2283, 0x800000b9, 0x800000b2, 0x800000b3, 0x2ac6, 0x2abe, 0x2ad8, 0x2287,
    0x2ac4, 0x27c9, 0x2ad7, 0x297b, 0x2ac2, 0x2acc, 0x228b, 0x2ac0, 0x2283, 0x2287, 0x2ac6, 0x228b, 0x2acc, 0x2ac8,
    0x2ad4, 0x2ad6, 0x21d9, 0x2926, 0x2199, 0x2199, 0x292a, 0x800000df, 0x2316, 0x3c4, 0x23b4, 0x165, 0x163, 0x442,
    0x20db, 0x2315, 0x1d531, 0x2234, 0x2234, 0x3b8, 0x3d1, 0x3d1, 0x2248, 0x223c, 0x2009, 0x2248, 0x223c,
    0x800000fe, 0x2dc, 0x800000d7, 0x22a0, 0x2a31, 0x2a30, 0x222d, 0x2928, 0x22a4, 0x2336, 0x2af1, 0x1d565, 0x2ada,
    0x2929, 0x2034, 0x2122, 0x25b5, 0x25bf, 0x25c3, 0x22b4, 0x225c, 0x25b9, 0x22b5, 0x25ec, 0x225c, 0x2a3a, 0x2a39,
    0x29cd, 0x2a3b, 0x23e2, 0x1d4c9, 0x446, 0x45b, 0x167, 0x226c, 0x219e, 0x21a0, 0x21d1, 0x2963, 0x800000fa,
    0x2191, 0x45e, 0x16d, 0x800000fb, 0x443, 0x21c5, 0x171, 0x296e, 0x297e, 0x1d532, 0x800000f9, 0x21bf, 0x21be,
    0x2580, 0x231c, 0x231c, 0x230f, 0x25f8, 0x16b, 0x800000a8, 0x173, 0x1d566, 0x2191, 0x2195, 0x21bf, 0x21be,
    0x228e, 0x3c5, 0x3d2, 0x3c5, 0x21c8, 0x231d, 0x231d, 0x230e, 0x16f, 0x25f9, 0x1d4ca, 0x22f0, 0x169, 0x25b5,
    0x25b4, 0x21c8, 0x800000fc, 0x29a7, 0x21d5, 0x2ae8, 0x2ae9, 0x22a8, 0x299c, 0x3f5, 0x3f0, 0x2205, 0x3d5, 0x3d6,
    0x221d, 0x2195, 0x3f1, 0x3c2, 0x4000228a, 0x40002acb, 0x4000228b, 0x40002acc, 0x3d1, 0x22b2, 0x22b3, 0x432,
    0x22a2, 0x2228, 0x22bb, 0x225a, 0x22ee, 0x7c, 0x7c, 0x1d533, 0x22b2, 0x40002282, 0x40002283, 0x1d567, 0x221d,
    0x22b3, 0x1d4cb, 0x40002acb, 0x4000228a, 0x40002acc, 0x4000228b, 0x299a, 0x175, 0x2a5f, 0x2227, 0x2259, 0x2118,
    0x1d534, 0x1d568, 0x2118, 0x2240, 0x2240, 0x1d4cc, 0x22c2, 0x25ef, 0x22c3, 0x25bd, 0x1d535, 0x27fa, 0x27f7,
    0x3be, 0x27f8, 0x27f5, 0x27fc, 0x22fb, 0x2a00, 0x1d569, 0x2a01, 0x2a02, 0x27f9, 0x27f6, 0x1d4cd, 0x2a06, 0x2a04,
    0x25b3, 0x22c1, 0x22c0, 0x800000fd, 0x44f, 0x177, 0x44b, 0x800000a5, 0x1d536, 0x457, 0x1d56a, 0x1d4ce, 0x44e,
    0x800000ff, 0x17a, 0x17e, 0x437, 0x17c, 0x2128, 0x3b6, 0x1d537, 0x436, 0x21dd, 0x1d56b, 0x1d4cf, 0x200d, 0x200c,
};

const EntitySecond kEntitySeconds[kEntitySecondCount] = {
    {315, 0x338}, {319, 0x338}, {320, 0x338}, {322, 0x338}, {324, 0x338}, {325, 0x338}, {327, 0x338}, {332, 0x338},
    {333, 0x338}, {335, 0x338}, {336, 0x338}, {338, 0x338}, {342, 0x338}, {344, 0x338}, {346, 0x338}, {348, 0x20d2},
    {351, 0x338}, {353, 0x338}, {354, 0x20d2}, {506, 0x200a}, {601, 0x333}, {706, 0x20e5}, {707, 0x20e5},
    {780, 0xfe00}, {852, 0xfe00}, {1001, 0x6a}, {1049, 0xfe00}, {1086, 0xfe00}, {1087, 0xfe00}, {1212, 0xfe00},
    {1251, 0xfe00}, {1334, 0xfe00}, {1335, 0xfe00}, {1373, 0x338}, {1374, 0x20d2}, {1375, 0x338}, {1378, 0x338},
    {1379, 0x20d2}, {1380, 0x338}, {1386, 0x20d2}, {1388, 0x338}, {1389, 0x338}, {1396, 0x338}, {1397, 0x338},
    {1402, 0x338}, {1411, 0x338}, {1414, 0x338}, {1418, 0x338}, {1421, 0x338}, {1422, 0x338}, {1423, 0x338},
    {1436, 0x338}, {1443, 0x338}, {1444, 0x338}, {1445, 0x338}, {1455, 0x338}, {1456, 0x338}, {1466, 0x20e5},
    {1467, 0x338}, {1471, 0x338}, {1473, 0x338}, {1476, 0x338}, {1477, 0x338}, {1483, 0x338}, {1495, 0x338},
    {1497, 0x20d2}, {1499, 0x338}, {1501, 0x338}, {1503, 0x338}, {1505, 0x20d2}, {1507, 0x338}, {1521, 0x20d2},
    {1523, 0x20d2}, {1524, 0x20d2}, {1527, 0x20d2}, {1528, 0x20d2}, {1529, 0x20d2}, {1531, 0x20d2}, {1532, 0x20d2},
    {1672, 0x331}, {1828, 0xfe00}, {1838, 0xfe00}, {1840, 0xfe00}, {2038, 0xfe00}, {2039, 0xfe00}, {2040, 0xfe00},
    {2041, 0xfe00}, {2055, 0x20d2}, {2056, 0x20d2}, {2061, 0xfe00}, {2062, 0xfe00}, {2063, 0xfe00}, {2064, 0xfe00},
};

}  // namespace caddis::html
