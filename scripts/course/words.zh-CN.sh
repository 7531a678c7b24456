# Sourced by ../common.sh: in Chinese, what it says before Python is there; %s in the same order.
words=(
    [installing]='正在安装：%s'
    [could not install]='安装失败，请手动运行：%s'
    [missing]='缺少：%s
请用下面这行命令安装，然后再运行一次：
    %s'
    [missing, no sudo]='缺少：%s
请以 root 用户身份用下面这行命令安装，然后再运行一次：
    %s'
    [building preset]='正在构建预设 %s（在 build/%s 中）……'
    [building]='正在构建预设 %s'
    [built]='预设 %s 已构建（用时 %s 秒）'
    [build failed]='预设 %s 构建失败，完整日志：%s'
    [building device once]='正在构建 CPU 设备（%s），第一次需要一两分钟……'
    [building device]='正在构建 CPU 设备（%s）'
    [device failed]='CPU 设备构建失败，完整日志：%s'
    [waiting]='正在等待另一个进程……（%s）'
)
